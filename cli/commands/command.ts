import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { ExitCode } from '../exit.js';

/** What a command does; nothing returned means success. Commander gives it arguments, then options. */
export type Act = (context: Context, ...given: never[]) => Promise<ExitCode | void>;

/** Ties an act to commander, with the context of this process. */
export type Bind = (act: Act) => (...given: unknown[]) => Promise<void>;

/** Adds one command, or a group of them, to the program. */
export type AddCommand = (program: Command, bind: Bind) => void;

/** Every command that gives data can give it as JSON. */
export const withJson = (command: Command, what = 'JSON on stdout, errors as JSON on stderr'): Command =>
  command.option('--json', what);

/** For commands that show events. */
export const streamJson = 'one JSON document per line on stdout, errors as JSON on stderr';
