import * as z from 'zod/mini'
import { codeWrong, credentialsWrong, passkeyRefused } from '../auth/problems.ts'
import { Proof, proofFields } from '../auth/proof.ts'
import { lastStaffManager } from '../backoffice/problems.ts'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound, problem, tooManyRequests } from '../kernel/problem.ts'

/** So long a closed account can be reopened. */
export const graceDays = 30
/** So long an export can be downloaded. */
export const exportDays = 3

export const accountClosedAlready = problem({ code: 'account_closed_already', status: 409, title: 'The account is closed already' })
export const accountNotClosed = problem({ code: 'account_not_closed', status: 409, title: 'The account is not closed' })
export const exportUnderWay = problem({
  code: 'export_under_way',
  status: 409,
  title: 'An export is being made already. Wait until it is ready',
})

const proofProblems = [credentialsWrong, codeWrong, passkeyRefused, tooManyRequests] as const

export const AccountExport = z.object({
  id: z.string(),
  state: z.enum(['making', 'ready', 'failed', 'expired']),
  asked_at: Time,
  /** Until then it can be downloaded. */
  expires_at: z.nullable(Time),
  rows: z.int(),
  bytes: z.int(),
})
export type AccountExport = z.output<typeof AccountExport>

/** Of the account of whoever is signed in, whichever they act on. */
export const getClosing = operation({
  name: 'account.getClosing',
  method: 'GET',
  path: '/account/closing',
  summary: 'Whether one’s own account is closed, and its exports',
  access: 'self',
  reply: z.object({ closed_at: z.nullable(Time), erase_at: z.nullable(Time), exports: z.array(AccountExport) }),
})

export const closeAccount = operation({
  name: 'account.closeAccount',
  method: 'POST',
  path: '/account/close',
  summary: 'Close one’s own account: it can be reopened for a while, then what is personal is removed',
  access: 'self',
  body: z.object({ ...proofFields, confirmation: z.string().check(z.trim(), z.maxLength(320)) }),
  reply: z.object({ erase_at: Time }),
  problems: [...proofProblems, accountClosedAlready, lastStaffManager],
  endsCaller: true,
})

export const reopenAccount = operation({
  name: 'account.reopenAccount',
  method: 'POST',
  path: '/account/reopen',
  summary: 'Reopen one’s own account, while that is possible',
  access: 'self',
  body: Proof,
  problems: [...proofProblems, accountNotClosed],
})

export const startExport = operation({
  name: 'account.startExport',
  method: 'POST',
  path: '/account/exports',
  summary: 'Have everything of one’s own account gathered for download',
  access: 'self',
  body: Proof,
  reply: AccountExport,
  problems: [...proofProblems, exportUnderWay],
})

/** One JSON object a line: `{"table":"asset","row":{…}}`. Secrets are not in it. */
export const downloadExport = operation({
  name: 'account.downloadExport',
  method: 'GET',
  path: '/account/exports/{export_id}/lines.ndjson',
  summary: 'An export, as lines of JSON',
  access: 'self',
  gives: 'ndjson',
  problems: [notFound],
})
