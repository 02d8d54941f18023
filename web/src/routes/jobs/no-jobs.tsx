import { A } from '@solidjs/router';
import { createResource, Show } from 'solid-js';
import { CopyCommand } from '../../components/copy-command.js';
import { useSession } from '../../lib/session.js';

const counted = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? '' : 's'}`;

/** First start: what there is to work with, and the next thing to do. */
export const NoJobs = () => {
  const { client } = useSession();
  const [fleet] = createResource(() => client.devices().catch(() => null));
  const ready = () => {
    const devices = fleet();
    if (!devices) return '';
    if (devices.length === 0) return 'No worker has joined yet: a job would wait for one. ';
    const workers = new Set(devices.map(({ worker }) => worker.id)).size;
    return `${counted(devices.length, 'device')} on ${counted(workers, 'machine')} ${devices.length === 1 ? 'is' : 'are'} ready. `;
  };
  return (
    <div class="firstrun">
      <div>
        <h2>No jobs yet</h2>
        <p class="dim">
          <Show when={!fleet.loading}>{ready()}</Show>
          Enlarge a picture and watch it run, or do the same from a terminal.
        </p>
      </div>
      <ol class="steps">
        <li>
          <span class="n">1</span>
          <div>
            <h3>Enlarge a picture</h3>
            <p class="dim">A real model on a file of yours. The first result takes seconds.</p>
            <A class="btn" href="/submit">
              Choose a picture
            </A>
          </div>
        </li>
        <li>
          <span class="n">2</span>
          <div>
            <h3>Or from a terminal</h3>
            <p class="dim">The same job, followed until it ends.</p>
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
