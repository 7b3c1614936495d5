import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'

/** Why a device was refused: the code of its answer, and words for whoever reads the list. */
export const refusals = {
  core_token_ended: 'The token was replaced by a new one',
  core_token_registers_none: 'The account has no SIM with this ICCID, and whoever made the token may not register assets',
  core_deployment_revoked: 'The deployment is revoked',
  core_deployment_expired: 'The deployment has expired',
  core_deployment_paused: 'The deployment is paused',
  core_deployment_full: 'The deployment has its maximum number of devices',
  iccid_invalid: 'This is no ICCID',
  iccid_unknown: 'There is no SIM with this ICCID in stock',
  iccid_not_yours: 'This ICCID belongs to another account',
  iccid_reserved: 'Whoever handed this SIM over has not released it',
  iccid_already_bound: 'A device with this SIM is set up already, and not by this deployment',
  device_cut: 'The device was cut off. It is let in again once somebody gives it a new token',
  asset_not_core: 'An asset of this type runs no CORE',
  account_suspended: 'The account is suspended',
} as const
export type RefusalCode = keyof typeof refusals
export const RefusalCode = z.enum(Object.keys(refusals) as [RefusalCode, ...RefusalCode[]])

/** One ICCID that asked to be enrolled, as it was answered last. */
export const Enrolment = z.object({
  iccid: z.string(),
  result: z.enum(['enrolled', 'refused']),
  refusal: z.nullable(z.object({ code: RefusalCode, words: z.string() })),
  /** Null: never enrolled, or its asset was removed since, or you do not see it. */
  asset: z.nullable(z.object({ id: z.string(), name: z.string() })),
  enrolled_at: z.nullable(Time),
  first_at: Time,
  last_at: Time,
  /** How often it asked. More than once where an answer was lost, or where it was refused. */
  asked: z.int(),
  /** From where it asked last. */
  ip: z.nullable(z.string()),
})
export type Enrolment = z.output<typeof Enrolment>

/** So long after its first enrolment a device that asks again gets the same token: its answer was lost. Later it gets a new one. */
export const sameTokenDays = 7
