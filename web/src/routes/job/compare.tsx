import { createSignal, Show } from 'solid-js';
import { Icon } from '../../components/icon.js';

interface Picture {
  src: string;
  word: string;
  alt: string;
}

/** Width and height in pixels, once a picture is drawn. */
const sizeOf = (image: HTMLImageElement): string => `${image.naturalWidth} × ${image.naturalHeight}`;

/** Two pictures of one scene, one over the other: drag, click, or move the handle with the arrow keys. */
export const Compare = (props: { before: Picture; after: Picture }) => {
  const [at, setAt] = createSignal(50);
  const [sizes, setSizes] = createSignal({ before: '', after: '' });
  const [ratio, setRatio] = createSignal('4 / 3');
  return (
    <div class="compare" style={{ '--at': `${at()}%`, 'aspect-ratio': ratio() }}>
      <img
        src={props.after.src}
        alt={props.after.alt}
        draggable={false}
        onLoad={({ currentTarget: image }) => {
          setRatio(`${image.naturalWidth} / ${image.naturalHeight}`);
          setSizes((known) => ({ ...known, after: sizeOf(image) }));
        }}
      />
      <img
        class="before"
        src={props.before.src}
        alt={props.before.alt}
        draggable={false}
        onLoad={({ currentTarget }) => setSizes((known) => ({ ...known, before: sizeOf(currentTarget) }))}
      />
      <input
        type="range"
        min="0"
        max="100"
        step="1"
        value={at()}
        aria-label="How much of the picture is shown as it was before"
        aria-valuetext={`${Math.round(at())} % before`}
        onInput={(event) => setAt(event.currentTarget.valueAsNumber)}
      />
      <div class="handle" aria-hidden="true">
        <span class="grip">
          <Icon name="sliders" />
        </span>
      </div>
      <Show when={at() > 18}>
        <span class="cap l">
          {props.before.word} {sizes().before}
        </span>
      </Show>
      <Show when={at() < 82}>
        <span class="cap r">
          {props.after.word} {sizes().after}
        </span>
      </Show>
    </div>
  );
};
