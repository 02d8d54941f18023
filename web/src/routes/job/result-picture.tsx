import { createMemo, createSignal, Show } from 'solid-js';
import { useSession } from '../../lib/session.js';
import { visibleText } from '../../lib/visible-text.js';
import type { JobView } from './job-view.js';
import { createInputAddress, createResultAddress, isDrawable } from './picture.js';

/** The file id behind `params.image`, when it is one. */
function inputOf(job: JobView): string | null {
  const image = job.params['image'];
  return typeof image === 'string' && /^(upl|art)_/.test(image) ? image : null;
}

/** A picture with its size in pixels, known once it is drawn. */
const Figure = (props: { src: string; word: string; alt: string }) => {
  const [size, setSize] = createSignal('');
  return (
    <figure>
      <img
        src={props.src}
        alt={props.alt}
        onLoad={(event) =>
          setSize(`${event.currentTarget.naturalWidth} × ${event.currentTarget.naturalHeight}`)
        }
      />
      <figcaption class="num">
        {props.word} <span class="faint">{size()}</span>
      </figcaption>
    </figure>
  );
};

/** What the job made, beside what it was given, when that is a picture. */
export const ResultPicture = (props: { job: JobView }) => {
  const { client } = useSession();
  const found = () =>
    props.job.artifacts.find(
      ({ role, mediaType, bytes }) => role === 'RESULT' && isDrawable(mediaType, bytes),
    ) ?? null;
  // By id: the same file with a newly signed link is the same picture.
  const result = createMemo(found, null, { equals: (a, b) => a?.id === b?.id });
  const after = createResultAddress(client, result);
  const before = createInputAddress(client, () => result() && inputOf(props.job));
  return (
    <Show when={result()}>
      {(file) => (
        <section>
          <div class="sec">
            <h2>Result</h2>
            <span class="faint t12">{visibleText(file().name)}</span>
          </div>
          <div class="pair">
            <Show when={before()}>
              {(src) => <Figure src={src()} word="Before" alt="The picture as it was given" />}
            </Show>
            <Show when={after()} fallback={<div class="skeleton picture" aria-hidden="true" />}>
              {(src) => <Figure src={src()} word="After" alt={`Result: ${visibleText(file().name)}`} />}
            </Show>
          </div>
        </section>
      )}
    </Show>
  );
};
