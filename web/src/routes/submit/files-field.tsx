import { createSignal, For, getOwner, onMount, runWithOwner } from 'solid-js';
import { useSession } from '../../lib/session.js';
import { Chosen, Drop } from './file-field.js';
import { createUpload, type Upload } from './uploads.js';

/** Several files, in the order they were chosen; each is sent at once. */
export const FilesField = (props: {
  id: string;
  label: string;
  accept: string;
  value: unknown;
  isInvalid: boolean;
  onChange: (value: string[] | undefined) => void;
}) => {
  const { client } = useSession();
  const owner = getOwner();
  const [uploads, setUploads] = createSignal<readonly Upload[]>([]);
  const tell = (): void => {
    const ids = uploads().flatMap(({ state }) => {
      const now = state();
      return now.is === 'sent' ? [now.id] : [];
    });
    props.onChange(ids.length > 0 ? ids : undefined);
  };
  /** Belongs to this field, whenever it is made, so that leaving the page ends what is being sent. */
  const add = (begin: (upload: Upload) => void): void => {
    const upload = runWithOwner(owner, () => createUpload(client, tell));
    if (!upload) return;
    setUploads((known) => [...known, upload]);
    begin(upload);
  };
  const drop = (upload: Upload): void => {
    setUploads((known) => known.filter((it) => it !== upload));
    upload.drop();
  };
  onMount(() => {
    if (!Array.isArray(props.value)) return;
    for (const id of props.value as unknown[]) add((upload) => upload.adopt(String(id)));
  });
  return (
    <>
      <For each={uploads()}>
        {(upload) => {
          const chosen = () => {
            const state = upload.state();
            return state.is === 'none' ? { is: 'sending' as const, name: '', bytes: 0 } : state;
          };
          return <Chosen state={chosen()} onDrop={() => drop(upload)} />;
        }}
      </For>
      <Drop
        id={props.id}
        label={props.label}
        accept={props.accept}
        isInvalid={props.isInvalid}
        isMany
        onFiles={(files) => files.forEach((file) => add((upload) => upload.send(file)))}
      />
    </>
  );
};
