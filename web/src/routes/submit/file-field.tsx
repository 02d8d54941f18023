import { createSignal, For, Match, onMount, Show, Switch } from 'solid-js';
import { Icon } from '../../components/icon.js';
import { useSession } from '../../lib/session.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { chosenPicture } from './chosen-pictures.js';
import { createUpload, type Sending, type Upload } from './uploads.js';

const Thumb = (props: { id: string }) => {
  const picture = chosenPicture(props.id);
  const url = picture?.type.startsWith('image/') ? URL.createObjectURL(picture) : null;
  return (
    <Show when={url} fallback={<Icon name="file" />}>
      {(src) => <img class="thumb" src={src()} alt="" onLoad={() => URL.revokeObjectURL(src())} />}
    </Show>
  );
};

/** One line that says how the chosen file stands. */
const Chosen = (props: { state: Exclude<Sending, { is: 'none' }>; onDrop: () => void }) => (
  <div class="up">
    <Switch fallback={<Icon name="file" />}>
      <Match when={props.state.is === 'sent' && props.state} keyed>
        {(sent) => <Thumb id={sent.id} />}
      </Match>
    </Switch>
    <span class="cut">
      <span class="medium">{visibleText(props.state.name)}</span>{' '}
      <Show when={'bytes' in props.state && props.state.bytes}>
        {(bytes) => <span class="faint num">{sizeOf(bytes())}</span>}
      </Show>
      <Show when={props.state.is === 'refused' && props.state}>
        {(refused) => <span class="err">{refused().message}</span>}
      </Show>
    </span>
    <span role="status" class="t12">
      <Switch>
        <Match when={props.state.is === 'sending'}>
          <span class="dim sending">Uploading</span>
        </Match>
        <Match when={props.state.is === 'sent'}>
          <span class="is-ok row">
            <Icon name="check" /> Uploaded
          </span>
        </Match>
      </Switch>
    </span>
    <button
      class="btn ghost icon"
      type="button"
      aria-label="Take the file away"
      onClick={() => props.onDrop()}
    >
      <Icon name="cross" />
    </button>
  </div>
);

const Drop = (props: { label: string; accept: string; id: string; isInvalid: boolean; upload: Upload }) => {
  const [isOver, setOver] = createSignal(false);
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file) props.upload.send(file);
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
        id={props.id}
        class="sr"
        type="file"
        accept={props.accept}
        aria-label={props.label}
        aria-invalid={props.isInvalid}
        aria-describedby={`${props.id}-says`}
        onChange={(event) => take(event.currentTarget.files)}
      />
      <Icon name="submit" />
      <span>
        Drop a file here, or <span class="link">choose one</span>
      </span>
      <span class="faint t12">{props.accept.replaceAll(/image\/|application\//g, '')}</span>
    </label>
  );
};

/** A file by picker or by drop, sent at once; or one of the fixed words a kind allows instead. */
export const FileField = (props: {
  id: string;
  label: string;
  accept: string;
  words: readonly string[];
  value: unknown;
  isInvalid: boolean;
  onChange: (value: string | undefined) => void;
}) => {
  const { client } = useSession();
  const upload = createUpload(client, (id) => props.onChange(id));
  onMount(() => {
    if (typeof props.value === 'string' && /^(upl|art)_/.test(props.value)) upload.adopt(props.value);
  });
  const chosen = () => {
    const state = upload.state();
    return state.is === 'none' ? null : state;
  };
  return (
    <>
      <Show
        when={chosen()}
        fallback={
          <Drop
            id={props.id}
            label={props.label}
            accept={props.accept}
            isInvalid={props.isInvalid}
            upload={upload}
          />
        }
      >
        {(state) => <Chosen state={state()} onDrop={upload.drop} />}
      </Show>
      <Show when={props.words.length > 0 && !chosen()}>
        <div class="words">
          <span class="faint">or</span>
          <For each={props.words}>
            {(word) => (
              <button
                class="chip"
                type="button"
                aria-pressed={props.value === word}
                onClick={() => props.onChange(props.value === word ? undefined : word)}
              >
                {word}
              </button>
            )}
          </For>
        </div>
      </Show>
    </>
  );
};
