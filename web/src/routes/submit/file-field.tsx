import { createSignal, For, Match, onMount, Show, Switch } from 'solid-js';
import { Icon } from '../../components/icon.js';
import { useSession } from '../../lib/session.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { chosenPicture } from './chosen-pictures.js';
import { createUpload, type Sending } from './uploads.js';

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
export const Chosen = (props: { state: Exclude<Sending, { is: 'none' }>; onDrop: () => void }) => (
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

/** Takes one file, or several, by picker or by drop. */
export const Drop = (props: {
  label: string;
  accept: string;
  id: string;
  isInvalid: boolean;
  isMany?: boolean;
  onFiles: (files: File[]) => void;
}) => {
  const [isOver, setOver] = createSignal(false);
  const take = (list: FileList | null | undefined): void => {
    const files = [...(list ?? [])].slice(0, props.isMany ? undefined : 1);
    if (files.length > 0) props.onFiles(files);
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
        multiple={props.isMany ?? false}
        aria-label={props.label}
        aria-invalid={props.isInvalid}
        aria-describedby={`${props.id}-says`}
        onChange={(event) => {
          take(event.currentTarget.files);
          // So that the same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <Icon name="submit" />
      <span>
        {props.isMany ? 'Drop files here, or ' : 'Drop a file here, or '}
        <span class="link">{props.isMany ? 'choose some' : 'choose one'}</span>
      </span>
      <span class="faint t12">{props.accept.replaceAll(/image\/|application\/|audio\//g, '')}</span>
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
            onFiles={([file]) => file && upload.send(file)}
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
