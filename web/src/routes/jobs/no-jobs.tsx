import { A, useNavigate } from '@solidjs/router';
import { createSignal, Show } from 'solid-js';
import { unwrap } from '@gjm/client/index.js';
import { CopyCommand } from '../../components/copy-command.js';
import { Icon } from '../../components/icon.js';
import { Refusal } from '../../components/refusal.js';
import { useFleet } from '../../lib/fleet.js';
import { useSession } from '../../lib/session.js';

/** The picture that comes with the product; the bundler makes it a file of the page. */
const sampleUrl = new URL('../../../../samples/harbour.png', import.meta.url).href;

const counted = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? '' : 's'}`;

/** Submits the picture that comes with the product, and goes to its job. */
const Sample = () => {
  const { client } = useSession();
  const navigate = useNavigate();
  const [isBusy, setBusy] = createSignal(false);
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const run = async (): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      const source = await (await fetch(sampleUrl)).blob();
      const { id } = await client.upload({ name: 'harbour.png', source, mediaType: 'image/png' });
      const { job } = unwrap(
        await client.submit({ kind: 'image.upscale', params: { image: id, scale: 2 }, name: 'harbour-dusk' }),
      );
      navigate(`/jobs/${job.id}`);
    } catch (error) {
      setRefusal((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <>
      <div class="sample">
        <Icon name="upscale" />
        <span class="grow">
          <span class="medium">Enlarge a picture</span>
          <small class="faint">image.upscale, twice as wide, a few seconds</small>
        </span>
        <button class="btn" type="button" disabled={isBusy()} onClick={() => void run()}>
          {isBusy() ? 'Sending' : 'Run'}
        </button>
      </div>
      <Refusal text={refusal()} />
    </>
  );
};

/** First start: what there is to work with, and the next thing to do. */
export const NoJobs = () => {
  const { fleet, isKnown } = useFleet();
  const ready = () => {
    if (fleet.devices.length === 0) return 'No worker has joined yet: a job would wait for one.';
    const machines = counted(fleet.workers.length, 'machine');
    const are = fleet.devices.length === 1 ? 'is' : 'are';
    return `${counted(fleet.devices.length, 'device')} on ${machines} ${are} ready.`;
  };
  return (
    <div class="firstrun">
      <div>
        <h2>No jobs yet</h2>
        <p class="dim">
          <Show when={isKnown()}>{ready()}</Show> Run the sample and watch it, or send your own.
        </p>
      </div>
      <ol class="steps">
        <li>
          <span class="n">1</span>
          <div>
            <h3>Run a sample</h3>
            <p class="dim">A real model on a small picture that ships with the product.</p>
            <Sample />
          </div>
        </li>
        <li>
          <span class="n">2</span>
          <div>
            <h3>Or send your own</h3>
            <p class="dim">
              <A class="link" href="/submit">
                Fill in a form
              </A>
              , or do it from a terminal, followed until it ends.
            </p>
            <CopyCommand command="npm run demo -- photo.png" />
          </div>
        </li>
        <li>
          <span class="n">3</span>
          <div>
            <h3>Watch it, then read why</h3>
            <p class="dim">
              Every job keeps its log, its results, and the reason for each choice made about it.
            </p>
          </div>
        </li>
      </ol>
    </div>
  );
};
