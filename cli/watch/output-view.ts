import { visibleText } from '@gjm/core/text/visible-text.js';
import type { Output } from '../output.js';
import { makeQuietView } from './line-view.js';
import type { JobView } from './view.js';

/** Only what a program writes, each stream to the one of its name, as if it ran here; how it ended is said on stderr. */
export function makeOutputView(output: Output): JobView {
  return {
    ...makeQuietView(output),
    startAfter: () => 0,
    event: async (event) => {
      if (event.__typename !== 'JobLogEvent') return;
      const text = visibleText(event.text);
      if (event.stream === 'STDOUT') await output.write(text);
      else output.note(text.replace(/\n$/, ''));
    },
  };
}
