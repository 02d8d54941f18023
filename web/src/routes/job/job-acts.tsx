import { useNavigate } from '@solidjs/router';
import { createSignal, Show } from 'solid-js';
import { isSuccess, rerunInput, unwrap } from '@gjm/client/index.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Icon } from '../../components/icon.js';
import { Kbd } from '../../components/kbd.js';
import { useKeys } from '../../lib/keys.js';
import { useSession } from '../../lib/session.js';
import { isOver } from '../../lib/status.js';
import { toast } from '../../lib/toasts.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import type { JobView } from './job-view.js';

type Question = 'cancel' | 'delete';

const Questions = (props: {
  job: JobView;
  asking: Question | null;
  onCancel: (yes: boolean) => void;
  onDelete: (yes: boolean) => void;
}) => {
  const files = () => (props.job.artifacts.length === 1 ? '1 file' : `${props.job.artifacts.length} files`);
  const done = () => {
    const fraction = props.job.progress?.fraction;
    return fraction ? `It is ${Math.round(fraction * 100)}% done. ` : '';
  };
  return (
    <>
      <ConfirmDialog
        isOpen={props.asking === 'cancel'}
        title={`Cancel ${visibleText(props.job.name)}?`}
        text={`${done()}It is asked to stop, then made to. What it logged stays; results that are not finished are lost.`}
        act="Cancel job"
        keep="Let it run"
        onAnswer={props.onCancel}
      />
      <ConfirmDialog
        isOpen={props.asking === 'delete'}
        title={`Delete ${visibleText(props.job.name)}?`}
        text={`Its log, its decisions and ${files()} go with it. This can not be undone.`}
        act="Delete job"
        keep="Keep it"
        onAnswer={props.onDelete}
      />
    </>
  );
};

/** What may be done with the job, each act once at a time. */
function createActs(props: { job: JobView; onChanged: () => void }) {
  const { client } = useSession();
  const navigate = useNavigate();
  const [isBusy, setBusy] = createSignal(false);
  const act = async (what: string, run: () => Promise<void>): Promise<void> => {
    if (isBusy()) return;
    setBusy(true);
    await run().catch((error: unknown) => toast('bad', `${what} was not taken`, (error as Error).message));
    setBusy(false);
  };
  return {
    isBusy,
    cancel: () =>
      act('Cancel', async () => {
        const result = await client.cancel(props.job.id);
        // It ended while the question was open: the page already shows it.
        if (!isSuccess(result)) toast('bad', 'Cancel was not taken', result.message);
        props.onChanged();
      }),
    remove: () =>
      act('Delete', async () => {
        unwrap(await client.deleteJob(props.job.id));
        toast('ok', 'Deleted', props.job.name);
        navigate('/jobs');
      }),
    again: () =>
      act('Rerun', async () => {
        const { job } = unwrap(await client.submit(rerunInput(props.job)));
        toast('ok', 'Submitted again', job.name);
        navigate(`/jobs/${job.id}`);
      }),
    edit: () => navigate(`/submit?from=${props.job.id}`),
  };
}

/** What one may do with this job. The permissions are the server's; the buttons only follow them. */
export const JobActs = (props: { job: JobView; onChanged: () => void }) => {
  const [asking, setAsking] = createSignal<Question | null>(null);
  const acts = createActs(props);
  const canCancel = () =>
    props.job.permissions.canCancel && !isOver(props.job) && props.job.cancelRequestedAt === null;
  const canDelete = () => props.job.permissions.canDelete && isOver(props.job);
  useKeys([
    { keys: 'd', does: 'Delete', run: () => canDelete() && setAsking('delete') },
    { keys: 'c', does: 'Cancel', run: () => canCancel() && setAsking('cancel') },
    { keys: 'b', does: 'Change and rerun', run: acts.edit },
    { keys: 'r', does: 'Rerun with the same params', run: () => void acts.again() },
  ]);
  const answered = (yes: boolean, run: () => Promise<void>): void => {
    setAsking(null);
    if (yes) void run();
  };
  return (
    <div class="acts">
      <button class="btn" type="button" disabled={acts.isBusy()} onClick={() => void acts.again()}>
        <Icon name="again" /> Rerun <Kbd keys="r" />
      </button>
      <button class="btn icon-phone" type="button" title="Change and rerun" onClick={acts.edit}>
        <Icon name="edit" />
        <span class="word">
          Change<span class="sr"> and rerun</span>
        </span>
        <Kbd keys="b" />
      </button>
      <Show when={canCancel()}>
        <button class="btn danger" type="button" disabled={acts.isBusy()} onClick={() => setAsking('cancel')}>
          <Icon name="stop" /> Cancel job <Kbd keys="c" />
        </button>
      </Show>
      <Show when={canDelete()}>
        <button class="btn danger" type="button" disabled={acts.isBusy()} onClick={() => setAsking('delete')}>
          <Icon name="trash" /> Delete <Kbd keys="d" />
        </button>
      </Show>
      <Questions
        job={props.job}
        asking={asking()}
        onCancel={(yes) => answered(yes, acts.cancel)}
        onDelete={(yes) => answered(yes, acts.remove)}
      />
    </div>
  );
};
