import type { ProblemKind } from '../../kernel/problem.ts'

// Of the calls that a device makes itself. Without `problem()`, beside which the kernel declares its own: all of them would be built into the agent.

export const claimCodeUnknown = {
  code: 'claim_code_unknown',
  status: 404,
  title: 'This claim code is not known: it was used, it expired, or another was made since',
} as const satisfies ProblemKind
export const claimSuspended = {
  code: 'claim_suspended',
  status: 409,
  title: 'The account of this claim code is suspended, so no device is set up',
} as const satisfies ProblemKind
export const deviceKeyUnknown = {
  code: 'device_key_unknown',
  status: 403,
  title: 'This device is not known, or was set up anew',
} as const satisfies ProblemKind
