import { z } from 'zod';
import type { FieldProblem } from '@gjm/core/problem.js';
import { cleanText } from '@gjm/core/text/clean.js';

/** The account a sign-in link opens; nobody can register it. */
export const linkAccountEmail = 'admin@localhost';

const email = z
  .string()
  .max(254, 'At most 254 characters.')
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => z.regexes.html5Email.test(text), 'This is no e-mail address.');

const password = z.string().min(8, 'At least 8 characters.').max(200, 'At most 200 characters.');

export const registerSchema = z.object({
  email,
  password,
  name: z
    .string()
    .max(100, 'At most 100 characters.')
    .transform((text) => cleanText(text.trim(), 100))
    .nullish(),
  invite: z.string().max(200, 'At most 200 characters.').nullish(),
});

/** Any password may be tried at sign-in, within the length that a password can have. */
export const loginSchema = z.object({ email, password: z.string().max(200, 'At most 200 characters.') });

export const inviteSchema = z.object({
  role: z
    .enum(['ADMIN', 'USER'])
    .nullish()
    .transform((role) => role ?? 'USER'),
  hours: z
    .number()
    .int()
    .min(1, 'At least 1 hour.')
    .max(720, 'At most 720 hours.')
    .nullish()
    .transform((hours) => hours ?? 24),
});

export const workerTokenSchema = z.object({
  name: z
    .string()
    .transform((text) => cleanText(text.trim(), 128))
    .refine((text) => text.length > 0, 'A name is needed.'),
});

/** The problems zod found, each with its path from the input's root. */
export const fieldProblemsOf = (error: z.ZodError): FieldProblem[] =>
  error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
