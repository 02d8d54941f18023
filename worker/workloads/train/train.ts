import * as tf from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { ModelTrainParams } from '@gjm/core/workload/model-train.js';
import { type WorkloadContext, WorkloadFailure } from '../define.js';
import { copyWeights, type Epoch, restoreWeights, type TrainingState } from './checkpoint.js';
import { type Examples, inputBatch, labelBatch } from './examples.js';
import { type Measured, measure } from './measure.js';
import { shuffled } from './seeded.js';

type Context = WorkloadContext<ModelTrainParams>;

/** Why a training ended. */
export type TrainingEnd = 'all-epochs' | 'target-accuracy' | 'no-improvement' | 'non-finite-loss';

export interface Trained {
  end: TrainingEnd;
  /** The epoch whose weights the model has. */
  epoch: number;
  /** On the held-out examples, or on those it learned from when nothing is held out. */
  measured: Measured;
}

/** At most so many loss metrics an epoch: a curve needs no more points. */
const pointsPerEpoch = 200;

/** The loss is no longer a number. */
class NonFiniteLoss extends Error {}

/** Trains a state's model epoch by epoch, until it is done or told to end. One use. */
export class Training {
  readonly #context: Context;
  readonly #examples: Examples;
  readonly #state: TrainingState;
  readonly #save: () => Promise<void>;
  readonly #startedAt = performance.now();
  readonly #stepsPerEpoch: number;
  #stepsHere = 0;
  #measured: Measured | null = null;

  /** `save` writes a checkpoint of the state as it stands. */
  constructor(context: Context, examples: Examples, state: TrainingState, save: () => Promise<void>) {
    this.#context = context;
    this.#examples = examples;
    this.#state = state;
    this.#save = save;
    this.#stepsPerEpoch = Math.ceil(examples.trainingCount / context.params.batchSize);
  }

  /** @throws WorkloadFailure WORKLOAD_ERROR when the loss is no longer a number, unless params want to stop then */
  async run(): Promise<Trained> {
    const { epochs: wanted } = this.#context.params;
    let end = this.#reasonToEnd();
    try {
      while (end === null && this.#state.epochs.length < wanted) {
        await this.#runEpoch(this.#state.epochs.length + 1);
        end = this.#reasonToEnd();
        await this.#save();
      }
    } catch (error) {
      if (!(error instanceof NonFiniteLoss)) throw error;
      end = await this.#giveUp(error);
    }
    return this.#finish(end ?? 'all-epochs');
  }

  async #runEpoch(epoch: number): Promise<void> {
    const { params } = this.#context;
    const order = shuffled(this.#examples.trainingCount, params.seed, `epoch ${epoch}`);
    let [loss, accuracy] = [0, 0];
    for (let step = 0; step < this.#stepsPerEpoch; step++) {
      const rows = order.subarray(step * params.batchSize, (step + 1) * params.batchSize);
      const [batchLoss, batchAccuracy] = await this.#trainOn(rows);
      if (!Number.isFinite(batchLoss)) {
        this.#context.metric('loss', batchLoss, this.#globalStep(epoch, step));
        throw new NonFiniteLoss(
          `The loss became ${batchLoss} at step ${step + 1} of epoch ${epoch}. ${this.#advice}`,
        );
      }
      loss += (batchLoss * rows.length) / order.length;
      accuracy += (batchAccuracy * rows.length) / order.length;
      await this.#tell(epoch, step, batchLoss, batchAccuracy);
    }
    await this.#endEpoch({ epoch, loss, accuracy, valLoss: null, valAccuracy: null });
  }

  /** One step of the optimizer: the batch's mean loss and accuracy. */
  async #trainOn(rows: Uint32Array): Promise<[number, number]> {
    const [inputs, labels] = [inputBatch(this.#examples, rows), labelBatch(this.#examples, rows)];
    try {
      return (await this.#state.model.trainOnBatch(inputs, labels)) as [number, number];
    } finally {
      tf.dispose([inputs, labels]);
    }
  }

  async #tell(epoch: number, step: number, loss: number, accuracy: number): Promise<void> {
    const { params } = this.#context;
    this.#stepsHere++;
    const stepsDone = this.#globalStep(epoch, step);
    if (step % Math.ceil(this.#stepsPerEpoch / pointsPerEpoch) === 0) {
      this.#context.metric('loss', loss, stepsDone);
      this.#context.metric('accuracy', accuracy, stepsDone);
    }
    const total = params.epochs * this.#stepsPerEpoch;
    const secondsPerStep = (performance.now() - this.#startedAt) / 1_000 / this.#stepsHere;
    this.#context.progress({
      step: stepsDone,
      total,
      message: `epoch ${epoch} of ${params.epochs}, loss ${loss.toFixed(4)}`,
      etaSeconds: Math.ceil((total - stepsDone) * secondsPerStep),
    });
    await this.#takeTurn();
  }

  async #endEpoch(epoch: Epoch): Promise<void> {
    const { params } = this.#context;
    const { model, epochs } = this.#state;
    const weights = await copyWeights(model);
    this.#measured = this.#hasHeldOut ? await this.#measure(model) : null;
    // Some engines compute a finite loss with weights that are none: a ReLU may take NaN for 0.
    const isSound = weights.every((values) => values.every(Number.isFinite));
    if (!isSound || !Number.isFinite(this.#measured?.loss ?? 0))
      throw new NonFiniteLoss(
        `The model's numbers are no longer finite after epoch ${epoch.epoch}. ${this.#advice}`,
      );
    epoch.valLoss = this.#measured?.loss ?? null;
    epoch.valAccuracy = this.#measured?.accuracy ?? null;
    epochs.push(epoch);
    this.#tellEpoch(epoch);
    const validation =
      epoch.valLoss === null
        ? ''
        : `, validation loss ${epoch.valLoss.toFixed(4)}, accuracy ${epoch.valAccuracy!.toFixed(4)}`;
    await this.#context.print(
      `epoch ${epoch.epoch}/${params.epochs}: loss ${epoch.loss.toFixed(4)}, accuracy ${epoch.accuracy.toFixed(4)}${validation}`,
    );
    const isBest = params.patience === undefined || bestOf(epochs).epoch === epoch.epoch;
    if (isBest && this.#mayGoBack) this.#state.best = { epoch: epoch.epoch, weights };
  }

  /** By epoch, and the held-out ones also by step, beside the curves of the batches. */
  #tellEpoch({ epoch, loss, accuracy, valLoss, valAccuracy }: Epoch): void {
    const context = this.#context;
    context.metric('epoch/loss', loss, epoch);
    context.metric('epoch/accuracy', accuracy, epoch);
    if (valLoss === null || valAccuracy === null) return;
    const step = epoch * this.#stepsPerEpoch;
    for (const [name, value] of Object.entries({ val_loss: valLoss, val_accuracy: valAccuracy })) {
      context.metric(name, value, step);
      context.metric(`epoch/${name}`, value, epoch);
    }
  }

  #reasonToEnd(): TrainingEnd | null {
    const { targetAccuracy, patience } = this.#context.params;
    const { epochs } = this.#state;
    const last = epochs.at(-1);
    if (!last) return null;
    if (targetAccuracy !== undefined && (last.valAccuracy ?? last.accuracy) >= targetAccuracy)
      return 'target-accuracy';
    if (patience !== undefined && last.epoch - bestOf(epochs).epoch >= patience) return 'no-improvement';
    return null;
  }

  async #giveUp(cause: NonFiniteLoss): Promise<TrainingEnd> {
    const { params } = this.#context;
    if (params.onNonFinite === 'fail') throw new WorkloadFailure('WORKLOAD_ERROR', cause.message, { cause });
    const { best } = this.#state;
    if (!best)
      throw new WorkloadFailure('WORKLOAD_ERROR', `${cause.message} There is no whole epoch to keep.`, {
        cause,
      });
    await this.#context.print(`${cause.message} The model of epoch ${best.epoch} is kept.`);
    return 'non-finite-loss';
  }

  /** Whether the result may be an earlier epoch's model: the best one, or the last one before the loss was no number any more. */
  get #mayGoBack(): boolean {
    const { patience, onNonFinite } = this.#context.params;
    return patience !== undefined || onNonFinite === 'stop';
  }

  async #finish(end: TrainingEnd): Promise<Trained> {
    const { model, epochs, best } = this.#state;
    const last = epochs.at(-1)!.epoch;
    if (best && (best.epoch !== last || end === 'non-finite-loss')) {
      restoreWeights(model, best.weights);
      this.#measured = null;
    }
    const measured = this.#measured ?? (await this.#measure(model));
    return { end, epoch: best?.epoch ?? last, measured };
  }

  #measure(model: LayersModel): Promise<Measured> {
    const { trainingCount, labels } = this.#examples;
    const range: [number, number] = this.#hasHeldOut ? [trainingCount, labels.length] : [0, trainingCount];
    return measure(model, this.#examples, range, this.#context.params.batchSize, () => this.#takeTurn());
  }

  get #advice(): string {
    return `A smaller learningRate than ${this.#context.params.learningRate} may help.`;
  }

  get #hasHeldOut(): boolean {
    return this.#examples.trainingCount < this.#examples.labels.length;
  }

  /** Steps of the whole job, earlier attempts included. */
  #globalStep(epoch: number, step: number): number {
    return (epoch - 1) * this.#stepsPerEpoch + step + 1;
  }

  async #takeTurn(): Promise<void> {
    await this.#context.yieldNow();
    this.#context.stopIfAsked();
  }
}

/** The epoch with the lowest loss on held-out examples, or on all when nothing is held out. */
const bestOf = (epochs: readonly Epoch[]): Epoch =>
  epochs.reduce((best, epoch) =>
    (epoch.valLoss ?? epoch.loss) < (best.valLoss ?? best.loss) ? epoch : best,
  );
