import { For, Show } from 'solid-js';
import type { Artifact } from '@gjm/client/index.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Icon } from '../../components/icon.js';

/** What an attempt left besides results: checkpoints that a next one can go on from, and its raw log. Nothing when there is none. */
export const AttemptFiles = (props: { number: number; artifacts: readonly Artifact[] }) => {
  const files = () => props.artifacts.filter(({ role }) => role !== 'RESULT');
  return (
    <Show when={files().length > 0}>
      <ul class="attempt-files" aria-label={`Files of attempt ${props.number}`}>
        <For each={files()}>
          {(file) => (
            <li>
              <a
                class="link cut"
                href={file.url}
                download={file.name}
                rel="external"
                aria-label={`Download ${visibleText(file.name)} of attempt ${props.number}`}
              >
                <Icon name="download" class="faint" />
                <span class="cut">{visibleText(file.name)}</span>
              </a>
              <span class="faint num">{sizeOf(file.bytes)}</span>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
};
