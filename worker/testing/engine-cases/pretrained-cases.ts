import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moderationClasses, type ModerateTier } from '@gjm/core/workload/image-moderate.js';
import { optionalPackages } from '../../packages-folder.js';
import { audioTranscribeWorkload } from '../../workloads/audio-transcribe.js';
import { playTones, wavFile } from '../../workloads/audio/wav-under-test.js';
import { drawPicture } from '../../workloads/image/picture-under-test.js';
import { imageModerateWorkload } from '../../workloads/image-moderate.js';
import { workloadContext } from '../workload-context.js';
import type { WorkloadCase } from './workload-cases.js';

/** Kinds whose models somebody else has trained; those of an optional package only where that is set up. */
export const pretrainedCases: readonly WorkloadCase[] = [
  transcribeCase(),
  ...(optionalPackages('models') ? [moderateCase('mobilenet-v2')] : []),
];

/** Pitch, loudness and times of each note. */
function transcribeCase(): WorkloadCase {
  return {
    kind: 'audio.transcribe',
    name: 'audio.transcribe, two notes',
    // Of the highest pitch. Loudness is an average of probabilities, times are whole frames.
    tolerance: 1e-4,
    async compute(engine, folder) {
      const [audio, outputDir] = [join(folder, 'in.wav'), await mkdtemp(join(folder, 'out-'))];
      const tones = [60, 67].map((pitch, index) => ({
        pitch,
        start: 0.2 + 0.4 * index,
        end: 0.5 + 0.4 * index,
      }));
      const form = { encoding: 'integer', bits: 16, channels: 1, rate: 22_050 } as const;
      await writeFile(audio, wavFile(playTones(tones, 1, form.rate), form));
      await audioTranscribeWorkload.run(
        workloadContext({ params: { audio: '' }, inputs: { audio }, outputDir, engine }),
      );
      const { notes } = (await readJson(outputDir, 'notes.json')) as { notes: Record<string, number>[] };
      return notes.flatMap(({ pitch, amplitude, start, end }) => [pitch!, amplitude!, start!, end!]);
    },
  };
}

function moderateCase(tier: ModerateTier): WorkloadCase {
  return {
    kind: 'image.moderate',
    name: `image.moderate with the model ${tier}`,
    tolerance: 1e-4,
    async compute(engine, folder) {
      const [image, outputDir] = [join(folder, 'in.png'), await mkdtemp(join(folder, 'out-'))];
      await writeFile(image, await drawPicture(30, 20));
      const given = { params: { images: [''] }, inputs: { 'images.0': image }, outputDir, tier, engine };
      await imageModerateWorkload.run(workloadContext(given));
      const { images } = (await readJson(outputDir, 'moderation.json')) as {
        images: { probabilities: Record<string, number> }[];
      };
      return moderationClasses.map((name) => images[0]!.probabilities[name]!);
    },
  };
}

const readJson = async (folder: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, name), 'utf8'));
