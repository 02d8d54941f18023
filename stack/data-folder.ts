import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { StackProblem, systemCode } from './problem.js';

/** Where one stack keeps its state. All paths are absolute; every folder below `path` is private (0700). */
export interface DataFolder {
  path: string;
  run: string;
  logs: string;
  secrets: string;
  artifacts: string;
}

/**
 * Opens (and at first makes) the data folder. A folder that already exists keeps its own mode; what is made
 * inside it is private. Fails with one sentence when it can not be written.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const root = await realpath(path);
    const folder: DataFolder = {
      path: root,
      run: join(root, 'run'),
      logs: join(root, 'logs'),
      secrets: join(root, 'secrets'),
      artifacts: join(root, 'artifacts'),
    };
    for (const inner of [folder.run, folder.logs, folder.secrets, folder.artifacts]) {
      await mkdir(inner, { recursive: true, mode: 0o700 });
    }
    return folder;
  } catch (error) {
    const code = systemCode(error) ?? String(error);
    throw new StackProblem(
      `The data folder ${path} can not be used (${code}): set GJM_DATA_DIR to another one.`,
    );
  }
}
