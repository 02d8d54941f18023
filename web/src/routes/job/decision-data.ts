/** What a decision was made from, as far as this page knows its shape; everything else is shown as it is. */
export interface DecisionFacts {
  candidates: Candidate[];
  checks: Check[];
  /** The rest, one pair each. */
  others: [name: string, value: string][];
}

export interface Candidate {
  name: string;
  machine: string;
  /** Why not; null for one that was eligible. */
  block: { code: string; message: string } | null;
  score: number | null;
  isChosen: boolean;
}

export interface Check {
  name: string;
  passed: boolean;
  saw: string;
}

type Data = Record<string, unknown>;

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Data[] => (Array.isArray(value) ? value.filter(isData) : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

function candidateOf(data: Data, chosen: unknown): Candidate {
  const { block, score } = data;
  return {
    name: textOf(data['deviceName']),
    machine: textOf(data['workerName']),
    block: isData(block) ? { code: textOf(block['code']), message: textOf(block['message']) } : null,
    score: typeof score === 'number' ? score : null,
    isChosen: data['deviceId'] === chosen,
  };
}

const byRank = (a: Candidate, b: Candidate): number =>
  Number(b.isChosen) - Number(a.isChosen) || (b.score ?? -1) - (a.score ?? -1);

const known = new Set(['candidates', 'checks', 'deviceId', 'accept']);

/** Reads a decision's data without trusting its shape: a newer server may have stored another. */
export function readDecision(data: Data): DecisionFacts {
  return {
    candidates: listOf(data['candidates'])
      .map((it) => candidateOf(it, data['deviceId']))
      .sort(byRank),
    checks: listOf(data['checks']).map(({ name, passed, saw }) => ({
      name: textOf(name),
      passed: passed === true,
      saw: textOf(saw),
    })),
    others: Object.entries(data).flatMap(([name, value]) =>
      known.has(name) || value === null
        ? []
        : [[name, Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value)]],
    ),
  };
}
