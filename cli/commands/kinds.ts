import type { NodeClient } from '@gjm/client/node.js';
import type { Context } from '../context.js';
import { notFoundError } from '../exit.js';
import { describeParam, type ParamSchema, type ParamsSchema } from '../job/params.js';
import type { Output } from '../output.js';
import { factLines, tableLines, type Column } from '../text/table.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { withJson, type AddCommand } from './command.js';

type Kind = Awaited<ReturnType<NodeClient['jobKinds']>>[number];
type Param = ParamSchema & { name: string; isRequired: boolean };

const kindColumns: Column<Kind>[] = [
  { title: 'KIND', text: ({ name }) => visibleLine(name) },
  { title: 'TAKEN', text: ({ enabled }) => (enabled ? 'yes' : 'no') },
  { title: 'TIERS', text: ({ tiers }) => visibleLine(tiers.join(', ')), from: 60 },
  { title: 'DESCRIPTION', text: ({ description }) => visibleLine(description), least: 20 },
];

const defaultOf = ({ isRequired, default: value }: Param): string =>
  value === undefined ? (isRequired ? 'required' : '–') : visibleLine(JSON.stringify(value));

const paramColumns: Column<Param>[] = [
  { title: 'PARAM', text: ({ name }) => visibleLine(name) },
  { title: 'TAKES', text: (param) => visibleLine(describeParam(param)), least: 12 },
  { title: 'DEFAULT', text: defaultOf },
  { title: 'MEANING', text: ({ description = '' }) => visibleLine(description), least: 16 },
];

function paramsOf(kind: Kind): Param[] {
  const { properties = {}, required = [] } = kind.paramsSchema as ParamsSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    ...schema,
    name,
    isRequired: required.includes(name) && schema.default === undefined,
  }));
}

function kindPage(kind: Kind, output: Output): string[] {
  const { paint } = output;
  const params = paramsOf(kind);
  return [
    ...factLines(
      [
        ['Kind', paint.bold(visibleLine(kind.name))],
        ['Title', visibleLine(kind.title)],
        ['Taken', kind.enabled ? 'yes' : 'no'],
        ['Tiers', visibleLine(kind.tiers.join(', '))],
        ['About', visibleLine(kind.description)],
      ],
      paint.dim,
    ),
    ...(params.length > 0 ? ['', ...tableLines(paramColumns, params, output.cells(), paint.dim)] : []),
  ];
}

async function kinds(context: Context, name: string | undefined): Promise<void> {
  const { output, signal } = context;
  const all = await (await context.client()).jobKinds({ signal });
  if (name === undefined) {
    if (output.isJson) return output.document(all);
    return output.lines(tableLines(kindColumns, all, output.cells(), output.paint.dim));
  }
  const kind = all.find((candidate) => candidate.name === name);
  if (!kind) throw notFoundError('kind', name);
  if (output.isJson) return output.document(kind);
  await output.lines(kindPage(kind, output));
}

export const addKinds: AddCommand = (program, bind) => {
  withJson(program.command('kinds'))
    .description('kinds of jobs, or the params of one')
    .argument('[kind]', 'its name')
    .action(bind(kinds));
};
