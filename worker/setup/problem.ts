/** Why a set-up can not go on: one sentence for whoever started it. */
export class SetupProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SetupProblem';
  }
}
