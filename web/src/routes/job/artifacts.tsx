import { For, Show } from 'solid-js';
import type { Artifact } from '@gjm/client/index.js';
import { Icon } from '../../components/icon.js';
import { sizeOf } from '../../lib/sizes.js';
import { visibleText } from '../../lib/visible-text.js';

const shortDigest = (sha256: string): string => `${sha256.slice(0, 6)}…${sha256.slice(-4)}`;

/** What the accepted attempt made. The links are signed and the server sends them as attachments. */
export const Artifacts = (props: { artifacts: readonly Artifact[] }) => (
  <Show when={props.artifacts.length > 0}>
    <section>
      <div class="sec">
        <h2>Artifacts</h2>
        <span class="faint t12 num">
          {props.artifacts.length === 1 ? '1 file' : `${props.artifacts.length} files`}
        </span>
      </div>
      <table class="grid files">
        <thead>
          <tr>
            <th>Name</th>
            <th>Type</th>
            <th class="r">Size</th>
            <th>SHA-256</th>
            <th>
              <span class="sr">Download</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.artifacts}>
            {(artifact) => (
              <tr>
                <td class="cut medium">{visibleText(artifact.name)}</td>
                <td class="faint">{visibleText(artifact.mediaType)}</td>
                <td class="r num">{sizeOf(artifact.bytes)}</td>
                <td class="code faint" title={artifact.sha256}>
                  {shortDigest(artifact.sha256)}
                </td>
                <td class="r">
                  <a
                    class="btn ghost icon"
                    href={artifact.url}
                    download={artifact.name}
                    rel="external"
                    aria-label={`Download ${visibleText(artifact.name)}`}
                  >
                    <Icon name="download" />
                  </a>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  </Show>
);
