/** Names of fields whose values never reach a log line. */
const names = 'authorization cookie password token accessToken refreshToken secret claimKey'.split(' ');

/** Where pino must cut them out: at the top of a line and two levels down, which is as deep as we log. */
export const secretPaths: string[] = names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
