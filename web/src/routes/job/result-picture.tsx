import { createMemo, createSignal, Match, Show, Switch } from 'solid-js';
import { Segments } from '../../components/segments.js';
import { useSession } from '../../lib/session.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Compare } from './compare.js';
import type { JobView } from './job-view.js';
import { createInputAddress, createResultAddress, isDrawable } from './picture.js';

/** The file id behind `params.image`, when it is one. */
function inputOf(job: JobView): string | null {
  const image = job.params['image'];
  return typeof image === 'string' && /^(upl|art)_/.test(image) ? image : null;
}

const ways = [
  { value: 'slider', word: 'Slider' },
  { value: 'pair', word: 'Side by side' },
] as const;

/** A picture with its size in pixels, known once it is drawn. */
const Figure = (props: { src: string; word: string; alt: string }) => {
  const [size, setSize] = createSignal('');
  return (
    <figure>
      <img
        src={props.src}
        alt={props.alt}
        onLoad={({ currentTarget: image }) => setSize(`${image.naturalWidth} × ${image.naturalHeight}`)}
      />
      <figcaption class="num">
        {props.word} <span class="faint">{size()}</span>
      </figcaption>
    </figure>
  );
};

const given = 'The picture as it was given';

/** What the job made, against what it was given, when that is a picture. */
export const ResultPicture = (props: { job: JobView }) => {
  const { client } = useSession();
  const [way, setWay] = createSignal<(typeof ways)[number]['value']>('slider');
  const found = () =>
    props.job.artifacts.find(
      ({ role, mediaType, bytes }) => role === 'RESULT' && isDrawable(mediaType, bytes),
    ) ?? null;
  // By id: the same file with a newly signed link is the same picture.
  const result = createMemo(found, null, { equals: (a, b) => a?.id === b?.id });
  const after = createResultAddress(client, result);
  const before = createInputAddress(client, () => result() && inputOf(props.job));
  const alt = () => `Result: ${visibleText(result()?.name ?? '')}`;
  return (
    <Show when={result()}>
      {(file) => (
        <section>
          <div class="sec">
            <h2>Result</h2>
            <span class="faint t12 cut">{visibleText(file().name)}</span>
            <span class="grow" />
            <Show when={before()}>
              <Segments label="How to compare" options={ways} value={way()} onChoose={setWay} small />
            </Show>
          </div>
          <Switch fallback={<div class="sk picture" aria-hidden="true" />}>
            <Match when={way() === 'slider' && before() && after()}>
              <Compare
                before={{ src: before() ?? '', word: 'Before', alt: given }}
                after={{ src: after() ?? '', word: 'After', alt: alt() }}
              />
            </Match>
            <Match when={after() && !before.loading}>
              <div class="pair">
                <Show when={before()}>{(src) => <Figure src={src()} word="Before" alt={given} />}</Show>
                <Figure src={after() ?? ''} word="After" alt={alt()} />
              </div>
            </Match>
            <Match when={after.state === 'ready' && !after()}>
              <p class="dim">The picture could not be shown; the file below can be downloaded.</p>
            </Match>
          </Switch>
        </section>
      )}
    </Show>
  );
};
