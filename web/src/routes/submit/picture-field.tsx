import { createSignal, Show } from 'solid-js';
import { Icon } from '../../components/icon.js';
import { sizeOf } from '../../lib/sizes.js';

/** A file by picker or by drop. The input itself stays reachable by keyboard; the label around it is the target. */
export const PictureField = (props: { picture: File | null; onPick: (picture: File) => void }) => {
  const [isOver, setOver] = createSignal(false);
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file) props.onPick(file);
  };
  return (
    <label
      class="drop"
      classList={{ over: isOver() }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <input
        class="sr"
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label="Picture"
        onChange={(event) => take(event.currentTarget.files)}
      />
      <Icon name="upscale" />
      <Show when={props.picture} fallback={<span>Drop a picture here, or choose one</span>}>
        {(picture) => (
          <span>
            <b class="medium">{picture().name}</b> <span class="faint num">{sizeOf(picture().size)}</span>
          </span>
        )}
      </Show>
    </label>
  );
};
