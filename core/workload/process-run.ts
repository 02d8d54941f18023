import { z } from 'zod';
import { defineKind, fileParam } from './define.js';

/** Limits that hold before a program is started. */
export const processLimits = {
  arguments: 256,
  argumentLength: 4_096,
  variables: 128,
  variableLength: 32_768,
  expected: 64,
  /** Unpacked bytes of one file of the archive. */
  fileBytes: 512 * 1024 ** 2,
};

/** `env` takes a first word with an equals sign for a variable. */
const isProgramName = (name: string): boolean => name !== '' && !name.includes('=');

/** Those that begin so are ours. */
const variableName = z
  .string()
  .max(128)
  .regex(/^(?!GJM_)[A-Za-z_][A-Za-z0-9_]*$/, 'must be a name of letters, digits and _, not one of GJM_…');

export const processRun = defineKind({
  name: 'process.run',
  title: 'Run a program',
  description:
    'Runs your own program (PyTorch, CUDA, anything) on one or more devices of a worker that allows it. All files it leaves in GJM_OUTPUT_DIR become results; files it moves into GJM_CHECKPOINT_DIR are kept for the next attempt.',
  params: z.strictObject({
    command: z
      .array(z.string().max(processLimits.argumentLength))
      .min(1)
      .max(processLimits.arguments)
      .refine(([program = '']) => isProgramName(program), 'must begin with the name of a program')
      .describe('The program and its arguments, one a word: ["python", "train.py"]. No shell reads it.'),
    files: fileParam(
      ['application/zip'],
      'A zip whose files lie in the folder that the program starts in.',
    ).optional(),
    env: z
      .record(variableName, z.string().max(processLimits.variableLength))
      .default({})
      .refine(
        (env) => Object.keys(env).length <= processLimits.variables,
        `must have at most ${processLimits.variables} variables`,
      )
      .describe('Environment variables: { "EPOCHS": "3" }.'),
    expect: z
      .array(z.string().min(1).max(256))
      .max(processLimits.expected)
      .default([])
      .describe(
        'Patterns (*, ?, **) that each must match a file left in GJM_OUTPUT_DIR: ["model.pt", "logs/*.csv"].',
      ),
    environment: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be a name of letters, digits, - and _')
      .optional()
      .describe('A named environment of the worker (venv, conda), whose programs come first.'),
  }),
  outputs: [],
  tiers: [],
  keepsCheckpoints: true,
  runsPrograms: true,
});
export type ProcessRunParams = z.output<typeof processRun.params>;
