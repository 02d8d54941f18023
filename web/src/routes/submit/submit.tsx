import { useNavigate } from '@solidjs/router';
import { createSignal, For } from 'solid-js';
import type { FieldProblem } from '@gjm/client/index.js';
import { Icon } from '../../components/icon.js';
import { Refusal } from '../../components/refusal.js';
import { formText } from '../../lib/form-text.js';
import { useSession } from '../../lib/session.js';
import { PictureField } from './picture-field.js';
import { submitPicture } from './submit-picture.js';

const scales = [2, 3, 4, 8];

/** What the server said of one field. */
const FieldSays = (props: { problems: FieldProblem[]; path: string }) => (
  <For each={props.problems.filter(({ path }) => path.join('.') === props.path)}>
    {({ message }) => (
      <p class="err">
        <Icon name="alert" />
        {message}
      </p>
    )}
  </For>
);

const ScaleField = (props: { problems: FieldProblem[] }) => (
  <fieldset class="field">
    <legend>Scale</legend>
    <div class="seg">
      <For each={scales}>
        {(scale) => (
          <label>
            <input class="sr" type="radio" name="scale" value={scale} checked={scale === 2} />
            <span class="num">{scale} ×</span>
          </label>
        )}
      </For>
    </div>
    <FieldSays problems={props.problems} path="params.scale" />
  </fieldset>
);

const NameField = (props: { problems: FieldProblem[] }) => (
  <label class="field">
    <span>
      Name <span class="faint">optional</span>
    </span>
    <input class="input" name="name" maxLength={100} autocomplete="off" />
    <FieldSays problems={props.problems} path="name" />
  </label>
);

/** Submits `image.upscale`: a picture, a scale, a name. */
export const Submit = () => {
  const { client } = useSession();
  const navigate = useNavigate();
  const [picture, setPicture] = createSignal<File | null>(null);
  const [isBusy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<{ message: string; fields: FieldProblem[] } | null>(null);
  const fields = () => problem()?.fields ?? [];
  document.title = 'Submit · GPU Job Manager';

  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const chosen = picture();
    if (!chosen) {
      setProblem({ message: 'Choose a picture first.', fields: [] });
      return;
    }
    setBusy(true);
    setProblem(null);
    const outcome = await submitPicture(
      client,
      chosen,
      Number(formText(form, 'scale')),
      formText(form, 'name').trim(),
    );
    setBusy(false);
    if ('jobId' in outcome) navigate(`/jobs/${outcome.jobId}`);
    else setProblem(outcome);
  };

  return (
    <>
      <header class="top">
        <h1>Submit</h1>
      </header>
      <form class="form page" onSubmit={(event) => void submit(event)}>
        <h2>Enlarge a picture</h2>
        <div class="field">
          <PictureField picture={picture()} onPick={setPicture} />
          <FieldSays problems={fields()} path="params.image" />
        </div>
        <ScaleField problems={fields()} />
        <NameField problems={fields()} />
        <Refusal text={problem()?.message} />
        <button class="btn primary lg" type="submit" disabled={isBusy()}>
          {isBusy() ? 'Sending the picture' : 'Submit job'}
        </button>
      </form>
    </>
  );
};
