import { For, Show } from 'solid-js';
import { numberOf, type Artifact } from '@gjm/client/index.js';
import { CopyButton } from '../../components/copy-command.js';
import { Icon } from '../../components/icon.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { visibleText } from '@gjm/core/text/visible-text.js';

const shortDigest = (sha256: string): string => `${sha256.slice(0, 6)}…${sha256.slice(-4)}`;

const Row = (props: { artifact: Artifact }) => (
  <tr>
    <td class="name">
      <a
        class="cut block medium link"
        href={props.artifact.url}
        download={props.artifact.name}
        rel="external"
        title={visibleText(props.artifact.name)}
      >
        {visibleText(props.artifact.name)}
      </a>
    </td>
    <td class="faint">attempt {props.artifact.attempt}</td>
    <td class="faint">{visibleText(props.artifact.mediaType)}</td>
    <td class="r num">{sizeOf(props.artifact.bytes)}</td>
    <td class="digest">
      <span class="code faint" title={props.artifact.sha256}>
        {shortDigest(props.artifact.sha256)}
      </span>
      <CopyButton
        text={props.artifact.sha256}
        label={`Copy the SHA-256 of ${visibleText(props.artifact.name)}`}
      />
    </td>
    <td class="r">
      <a
        class="btn ghost icon"
        href={props.artifact.url}
        download={props.artifact.name}
        rel="external"
        aria-label={`Download ${visibleText(props.artifact.name)}`}
      >
        <Icon name="download" />
      </a>
    </td>
  </tr>
);

/** What the accepted attempt made. The links are signed and the server sends them as attachments. */
export const Artifacts = (props: { artifacts: readonly Artifact[] }) => {
  const says = () => {
    const bytes = props.artifacts.reduce((sum, it) => sum + numberOf(it.bytes), 0);
    return `${props.artifacts.length === 1 ? '1 file' : `${props.artifacts.length} files`}, ${sizeOf(bytes)}`;
  };
  return (
    <Show when={props.artifacts.length > 0}>
      <section>
        <div class="sec">
          <h2>Artifacts</h2>
          <span class="faint t12 num">{says()}</span>
        </div>
        <table class="grid files">
          <thead>
            <tr>
              <th>Name</th>
              <th>Made by</th>
              <th>Type</th>
              <th class="r">Size</th>
              <th>SHA-256</th>
              <th>
                <span class="sr">Download</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={props.artifacts}>{(artifact) => <Row artifact={artifact} />}</For>
          </tbody>
        </table>
      </section>
    </Show>
  );
};
