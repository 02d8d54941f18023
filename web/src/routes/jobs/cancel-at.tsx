import { createSignal } from 'solid-js';
import { isSuccess, type JobRow } from '@gjm/client/index.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useSession } from '../../lib/session.js';
import { isOver } from '../../lib/status.js';
import { toast } from '../../lib/toasts.js';
import { visibleText } from '@gjm/core/text/visible-text.js';

/** Cancels the job at the cursor, after a question. */
export function createCancelAt(job: () => JobRow | null) {
  const { client } = useSession();
  const [asked, setAsked] = createSignal<JobRow | null>(null);
  const ask = (): void => {
    const at = job();
    if (at && at.permissions.canCancel && !isOver(at)) setAsked(at);
  };
  const cancel = async (target: JobRow): Promise<void> => {
    try {
      const result = await client.cancel(target.id);
      if (isSuccess(result)) toast('ok', 'Cancel asked', target.name);
      else if ('message' in result) toast('bad', 'Cancel was not taken', result.message);
    } catch (error) {
      toast('bad', 'Cancel was not taken', (error as Error).message);
    }
  };
  const Question = () => (
    <ConfirmDialog
      isOpen={asked() !== null}
      title={`Cancel ${visibleText(asked()?.name ?? '')}?`}
      text="It is asked to stop, then made to. What it logged stays; results that are not finished are lost."
      act="Cancel job"
      keep="Let it run"
      onAnswer={(yes) => {
        const target = asked();
        setAsked(null);
        if (yes && target) void cancel(target);
      }}
    />
  );
  return { ask, Question };
}
