import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { serverVariables } from '@gjm/server/environment.js';
import { secretSettings } from '@gjm/server/secret-files.js';
import { cloneRoot } from '@gjm/stack/clone.js';

const read = (path: string): string => readFileSync(join(cloneRoot, path), 'utf8');

/** The names in the first column of the table below a heading, without their stars. */
function listed(heading: string): string[] {
  const section = read('docs/operations.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const cells = section.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name as string)).sort();
}

describe('docs/operations.md', () => {
  test('lists every setting of the server, and none that is not', () => {
    expect(listed('Settings of the server')).toEqual(Object.keys(serverVariables.shape).sort());
  });

  test('marks exactly the settings that may be files', () => {
    const section = read('docs/operations.md').split('## Settings of a worker')[0] ?? '';
    const marked = [...section.matchAll(/`(\w+)`\*/g)].map(([, name]) => name);
    expect(marked.sort()).toEqual([...secretSettings].sort());
  });

  test('lists every setting of a worker, and none that is not', () => {
    const source = read('worker/environment.ts') + read('worker/containment/settings.ts');
    const names = [...source.matchAll(/^ {2,4}(GJM_\w+): /gm)].map(([, name]) => name);
    expect(listed('Settings of a worker')).toEqual([...new Set(names)].sort());
  });

  test('has a runbook for every check of health', () => {
    const sources = ['server/health.ts', 'server/wiring/open-artifacts.ts', 'server/wiring/open-bucket.ts'];
    const code = sources.map(read).join('\n');
    const checks = [...code.matchAll(/(?:\[+|name: )'([a-z-]+)'(?:, (?:async )?\(\)|,\n)/g)].map(
      ([, name]) => name,
    );
    expect(checks.length).toBeGreaterThanOrEqual(10);
    const runbooks = read('docs/operations.md').split('## Runbooks\n')[1] ?? '';
    for (const check of checks) expect(runbooks).toContain(`| \`${check}\` |`);
  });
});

describe('docs/engines.md', () => {
  test('tells what to do for every code of the audit', () => {
    const files = readdirSync(join(cloneRoot, 'worker'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => /^(engines|device)\/.*(?<!\.test)\.ts$/.test(file),
    );
    const source = files.map((file) => read(`worker/${file}`)).join('\n');
    const codes = [...source.matchAll(/'((?:CUDA|NATIVE|WEBGPU|WASM|CPU)_[A-Z_]+)'/g)]
      .map(([, code]) => code as string)
      .filter((code) => code !== 'CUDA_VISIBLE_DEVICES' && code !== 'CUDA_DEVICE_ORDER');
    const reasons = [...source.matchAll(/reason: ('[A-Z_ |']+')/g)].flatMap(([, text]) =>
      text!.match(/[A-Z_]+/g),
    );
    expect(codes.length).toBeGreaterThanOrEqual(6);
    const document = read('docs/engines.md');
    for (const code of [...codes, ...reasons.map((reason) => `_${reason}`)]) expect(document).toContain(code);
  });
});

interface Compose {
  services: Record<
    string,
    { image: string; restart: string; environment: Record<string, string>; volumes: string[] }
  >;
  volumes: Record<string, unknown>;
}

describe('docker-compose.yml', () => {
  const { services, volumes } = parse(read('docker-compose.yml')) as Compose;

  test('names volumes that it declares, and settings that the example and the programs know', () => {
    const used = Object.values(services).flatMap((service) =>
      service.volumes.map((mount) => mount.split(':')[0]),
    );
    expect([...new Set(used)].sort()).toEqual(Object.keys(volumes).sort());
    const known = [...Object.keys(serverVariables.shape), ...listed('Settings of a worker')];
    for (const name of ['server', 'worker'])
      for (const variable of Object.keys(services[name]?.environment ?? {}))
        expect(known).toContain(variable);
    const asked = [...read('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name as string);
    for (const name of asked)
      expect(read('deploy/compose.env.example')).toMatch(new RegExp(`^${name}=$`, 'm'));
  });

  test('writes no secret down', () => {
    for (const { environment } of Object.values(services))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|SECRET|TOKEN|KEY/.test(name)) expect(value).toMatch(/^\$\{\w+(:[-?].*)?\}$/);
  });
});

interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  spec?: {
    selector?: { matchLabels?: object };
    template?: {
      metadata: { labels: object };
      spec: {
        containers: { name: string; image: string; env?: { name: string; value?: string }[] }[];
        initContainers?: { image: string }[];
      };
    };
  };
}

describe('deploy/kubernetes', () => {
  const folder = 'deploy/kubernetes';
  const { resources } = parse(read(`${folder}/kustomization.yaml`)) as { resources: string[] };
  const manifests = resources.flatMap((file) =>
    parseAllDocuments(read(`${folder}/${file}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );

  test('selects the pods that it makes', () => {
    const workloads = manifests.filter(({ spec }) => spec?.template);
    expect(workloads.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'DaemonSet worker',
      'Deployment server',
      'StatefulSet postgres',
      'StatefulSet redis',
    ]);
    for (const { spec } of workloads)
      expect(spec?.template?.metadata.labels).toEqual(spec?.selector?.matchLabels);
  });

  test('has a GPU form that changes the image of a container which is there', () => {
    const { images } = parse(read(`${folder}-gpu/kustomization.yaml`)) as { images: { name: string }[] };
    const own = parse(read(`${folder}/kustomization.yaml`)) as { images: { name: string }[] };
    for (const { name } of images) expect(own.images.map((image) => image.name)).toContain(name);
  });

  test('sets what the programs know', () => {
    const known = [...Object.keys(serverVariables.shape), ...listed('Settings of a worker')];
    const settings = manifests.flatMap(({ kind, data = {} }) =>
      kind === 'ConfigMap' ? Object.keys(data) : [],
    );
    expect(settings).toContain('GJM_TRUST_PROXY');
    for (const name of settings) expect(known).toContain(name);
  });

  test('asks for keys that the example of the secret has, and writes none down', () => {
    const secret = parse(read(`${folder}/secret.example.yaml`)) as { stringData: Record<string, string> };
    const text = JSON.stringify(manifests);
    const asked = [...text.matchAll(/"secretKeyRef":\{"name":"gjm","key":"([\w-]+)"/g)].map(([, key]) => key);
    expect([...new Set(asked)].sort()).toEqual(
      Object.keys(secret.stringData)
        .sort()
        .filter((key) => key !== 'redis-url' || asked.includes(key)),
    );
    for (const { spec } of manifests)
      for (const { env = [] } of spec?.template?.spec.containers ?? [])
        for (const { name, value } of env)
          if (/PASSWORD|SECRET|TOKEN|KEY/.test(name)) expect(value).toBeUndefined();
  });
});

/** kubectl with kustomize in it, or kustomize itself; no cluster is asked. */
const kustomize = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
].find(
  ([program = '', ...args]) => spawnSync(program, [...args, '--help'], { timeout: 20_000 }).status === 0,
);

(kustomize ? describe : describe.skip)(
  `what kustomize makes${kustomize ? '' : ' (skipped: there is neither kubectl nor kustomize)'}`,
  () => {
    const make = (folder: string): Manifest[] => {
      const [program = '', ...args] = kustomize ?? [];
      const { status, stdout, stderr } = spawnSync(program, [...args, join(cloneRoot, folder)], {
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
      return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    };
    const namesOf = (manifests: Manifest[]) =>
      manifests.map(({ kind, metadata: { name } }) => `${kind} ${name}`).sort();
    const workerImages = (manifests: Manifest[]) => {
      const worker = manifests.find(({ kind }) => kind === 'DaemonSet')?.spec?.template?.spec;
      return [...(worker?.containers ?? []), ...(worker?.initContainers ?? [])].map(({ image }) => image);
    };

    test('all in its namespace, and with GPUs the same but for the image of all containers of a worker', () => {
      const [plain, gpu] = [make('deploy/kubernetes'), make('deploy/kubernetes-gpu')];
      expect(namesOf(plain)).toContain('DaemonSet worker');
      expect(namesOf(gpu)).toEqual(namesOf(plain));
      for (const { kind, metadata } of plain)
        if (kind !== 'Namespace') expect(metadata.namespace).toBe('gjm');
      expect(workerImages(plain)).toEqual(['gjm-worker:latest', 'gjm-worker:latest']);
      expect(workerImages(gpu)).toEqual(['gjm-worker-gpu:latest', 'gjm-worker-gpu:latest']);
    });
  },
);
