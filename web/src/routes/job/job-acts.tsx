import { createSignal, Show } from 'solid-js';
import { isSuccess, unwrap } from '@gjm/client/index.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Icon } from '../../components/icon.js';
import { useSession } from '../../lib/session.js';
import { isOver } from '../../lib/status.js';
import type { JobView } from './job-view.js';

type Question = 'cancel' | 'delete';

const Questions = (props: {
  asking: Question | null;
  artifacts: number;
  onCancel: (yes: boolean) => void;
  onDelete: (yes: boolean) => void;
}) => (
  <>
    <ConfirmDialog
      isOpen={props.asking === 'cancel'}
      title="Cancel this job?"
      text="It is asked to stop, then made to. What it logged stays; results that are not finished are lost."
      act="Cancel job"
      keep="Let it run"
      onAnswer={props.onCancel}
    />
    <ConfirmDialog
      isOpen={props.asking === 'delete'}
      title="Delete this job?"
      text={`Its log, its decisions and ${props.artifacts === 1 ? '1 file' : `${props.artifacts} files`} go with it. This can not be undone.`}
      act="Delete job"
      keep="Keep it"
      onAnswer={props.onDelete}
    />
  </>
);

/** What one may do with this job. The permissions are the server's; the buttons only follow them. */
export const JobActs = (props: {
  job: JobView;
  onChanged: () => void;
  onDeleted: () => void;
  onError: (error: unknown) => void;
}) => {
  const { client } = useSession();
  const [asking, setAsking] = createSignal<Question | null>(null);
  const [isBusy, setBusy] = createSignal(false);
  const act = async (run: () => Promise<void>): Promise<void> => {
    setAsking(null);
    setBusy(true);
    props.onError(null);
    await run().catch((error: unknown) => props.onError(error));
    setBusy(false);
  };
  const cancel = async (): Promise<void> => {
    const result = await client.cancel(props.job.id);
    // It ended while the question was open: that is what was wanted, and the page already shows it.
    if (!isSuccess(result) && result.code !== 'JOB_TERMINAL') unwrap(result);
    props.onChanged();
  };
  const remove = async (): Promise<void> => {
    unwrap(await client.deleteJob(props.job.id));
    props.onDeleted();
  };
  const canCancel = () =>
    props.job.permissions.canCancel && !isOver(props.job) && props.job.cancelRequestedAt === null;
  const canDelete = () => props.job.permissions.canDelete && isOver(props.job);
  return (
    <div class="acts">
      <Show when={canCancel()}>
        <button class="btn danger" type="button" disabled={isBusy()} onClick={() => setAsking('cancel')}>
          <Icon name="stop" />
          Cancel job
        </button>
      </Show>
      <Show when={canDelete()}>
        <button class="btn danger" type="button" disabled={isBusy()} onClick={() => setAsking('delete')}>
          <Icon name="trash" />
          Delete
        </button>
      </Show>
      <Questions
        asking={asking()}
        artifacts={props.job.artifacts.length}
        onCancel={(yes) => (yes ? void act(cancel) : setAsking(null))}
        onDelete={(yes) => (yes ? void act(remove) : setAsking(null))}
      />
    </div>
  );
};
