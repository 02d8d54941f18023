import { createSignal, Show } from 'solid-js';
import { unwrap } from '@gjm/client/index.js';
import { CopyCommand } from '../../components/copy-command.js';
import { Dialog } from '../../components/dialog.js';
import { Refusal } from '../../components/refusal.js';
import { useSession } from '../../lib/session.js';

/** Makes a token and shows the one command that joins another machine with it. For administrators. */
export const AddMachine = () => {
  const { client } = useSession();
  const [isOpen, setOpen] = createSignal(false);
  const [token, setToken] = createSignal<string | null>(null);
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const make = async (): Promise<void> => {
    setToken(null);
    setRefusal(null);
    setOpen(true);
    try {
      setToken(unwrap(await client.createWorkerToken('added from the devices page')).token);
    } catch (error) {
      setRefusal((error as Error).message);
    }
  };
  return (
    <>
      <button class="btn" type="button" onClick={() => void make()}>
        Add a machine
      </button>
      <Dialog isOpen={isOpen()} title="Add a machine" onClose={() => setOpen(false)} isWide>
        <p class="dim">Run this in a clone on the machine. The token is shown only now.</p>
        <Refusal text={refusal()} />
        <Show when={token()}>
          {(text) => (
            <CopyCommand command={`npm run worker -- --server ${location.origin} --token ${text()}`} />
          )}
        </Show>
        <div class="ends">
          <button class="btn" type="button" autofocus onClick={() => setOpen(false)}>
            Close
          </button>
        </div>
      </Dialog>
    </>
  );
};
