import { createSignal } from 'solid-js';
import type { SubmitJobInput } from '@gjm/client/index.js';
import { CopyButton } from '../../components/copy-command.js';
import { Segments } from '../../components/segments.js';

const languages = [
  { value: 'sdk', word: 'TypeScript' },
  { value: 'graphql', word: 'GraphQL' },
] as const;

/** JSON as a person writes it in a program. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/"([A-Za-z_]\w*)":/g, '$1:')
    .replaceAll('"', "'");

const sdkOf = (input: SubmitJobInput): string =>
  [
    "import { createClient, unwrap } from '@gjm/client/node.js';",
    '',
    `const client = createClient({ url: '${location.origin}' });`,
    `const { job } = unwrap(await client.submit(${literal(input)}));`,
    'for await (const event of client.watch(job.id)) console.log(event);',
  ].join('\n');

const graphqlOf = (input: SubmitJobInput): string =>
  [
    'mutation Submit($input: SubmitJobInput!) {',
    '  submitJob(input: $input) {',
    '    ... on SubmitJobSuccess { job { id } }',
    '    ... on Problem { code message }',
    '  }',
    '}',
    '',
    '# variables',
    JSON.stringify({ input }, null, 2),
  ].join('\n');

/** The job as it stands in the form, for who wants it in a program. */
export const CodePanel = (props: { input: SubmitJobInput }) => {
  const [language, setLanguage] = createSignal<(typeof languages)[number]['value']>('sdk');
  const text = () => (language() === 'sdk' ? sdkOf(props.input) : graphqlOf(props.input));
  return (
    <section class="snippet" aria-label="The same from a program">
      <header>
        <Segments label="Language" options={languages} value={language()} onChoose={setLanguage} small />
        <span class="grow" />
        <CopyButton text={text()} label="Copy the code" />
      </header>
      <pre tabindex="0">{text()}</pre>
    </section>
  );
};
