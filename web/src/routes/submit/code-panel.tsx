import { createSignal } from 'solid-js';
import type { SubmitJobInput } from '@gjm/client/index.js';
import { CopyButton } from '../../components/copy-command.js';
import { Segments } from '../../components/segments.js';

const languages = [
  { value: 'cli', word: 'CLI' },
  { value: 'sdk', word: 'TypeScript' },
  { value: 'graphql', word: 'GraphQL' },
] as const;

/** JSON as a person writes it in a program. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/"([A-Za-z_]\w*)":/g, '$1:')
    .replaceAll('"', "'");

/** A word for a shell, quoted only where it must be. */
const shellWord = (text: string): string =>
  /^[\w.,:=@%/+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A device selector as `--device` takes it. */
const wishesOf = ({ kind, labels, ...rest }: Record<string, unknown>): string[] => [
  ...(typeof kind === 'string' ? [kind] : []),
  ...Object.entries(rest).map(([key, value]) => `${key}=${String(value)}`),
  ...Object.entries((labels ?? {}) as Record<string, unknown>).map(
    ([key, value]) => `label.${key}=${String(value)}`,
  ),
];

const cliOf = ({
  kind,
  params,
  name,
  labels,
  priority,
  timeoutSeconds,
  maxAttempts,
  deviceSelector,
  tier,
}: SubmitJobInput) => {
  const pairs = (option: string, of: Record<string, unknown> | null | undefined): string[] =>
    Object.entries(of ?? {}).map(
      ([key, value]) =>
        `${option} ${shellWord(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)}`,
    );
  const one = (option: string, value: string | number | null | undefined): string[] =>
    value === null || value === undefined ? [] : [`${option} ${shellWord(String(value))}`];
  return [
    `npx gjm submit ${kind}`,
    ...pairs('--param', params),
    ...one('--name', name),
    ...pairs('--label', labels),
    ...one('--priority', priority),
    ...one('--timeout', timeoutSeconds),
    ...one('--max-attempts', maxAttempts),
    ...wishesOf(deviceSelector ?? {}).map((wish) => `--device ${shellWord(wish)}`),
    ...one('--tier', tier),
    '--watch',
  ].join(' \\\n  ');
};

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
  const [language, setLanguage] = createSignal<(typeof languages)[number]['value']>('cli');
  const text = () => ({ cli: cliOf, sdk: sdkOf, graphql: graphqlOf })[language()](props.input);
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
