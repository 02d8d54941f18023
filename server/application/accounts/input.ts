import { z } from 'zod';
import { cleanText } from '@gjm/core/text/clean.js';

/** The account a sign-in link opens; nobody can register it. */
export const linkAccountEmail = 'admin@localhost';

const email = z
  .string()
  .max(254)
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => z.regexes.html5Email.test(text), 'must be an e-mail address');

const password = z.string().min(8).max(200);

export const registerSchema = z.object({
  email,
  password,
  name: z
    .string()
    .max(100)
    .transform((text) => cleanText(text.trim(), 100))
    .nullish(),
  invite: z.string().max(200).nullish(),
});

/** Any password may be tried at sign-in, within the length that a password can have. */
export const loginSchema = z.object({ email, password: z.string().max(200) });

export const passwordChangeSchema = z.object({
  current: z
    .string()
    .max(200)
    .nullish()
    .transform((current) => current ?? null),
  new: password,
});

export const userUpdateSchema = z.object({
  id: z.string(),
  role: z
    .enum(['ADMIN', 'USER'])
    .nullish()
    .transform((role) => role ?? null),
  disabled: z
    .boolean()
    .nullish()
    .transform((disabled) => disabled ?? null),
});

export const inviteSchema = z.object({
  role: z
    .enum(['ADMIN', 'USER'])
    .nullish()
    .transform((role) => role ?? 'USER'),
  hours: z
    .number()
    .int()
    .min(1)
    .max(720)
    .nullish()
    .transform((hours) => hours ?? 24),
});

export const workerTokenSchema = z.object({
  name: z
    .string()
    .transform((text) => cleanText(text.trim(), 128))
    .refine((text) => text.length > 0, 'must not be empty'),
});
