import type { Sample } from './samples.js';
import { sparkBox, sparkPath } from './spark-path.js';

/** A figure of the last two minutes as a line, beside the number that it has now. `name` says in words what is drawn. */
export const Spark = (props: {
  samples: readonly Sample[];
  now: number;
  most: number;
  name: string;
  tone: 'run' | 'calm';
}) => {
  const path = () => sparkPath(props.samples, props.now, props.most);
  return (
    <svg
      class={`spark ${props.tone}`}
      viewBox={`0 0 ${sparkBox.width} ${sparkBox.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={props.name}
    >
      <path class="ground" d={path().area} />
      <path class="line" d={path().line} />
    </svg>
  );
};
