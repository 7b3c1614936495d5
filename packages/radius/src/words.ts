/** Acct-Status-Type (RFC 2866 §5.1). */
export const statusTypes = { 1: 'start', 2: 'stop', 3: 'interim', 7: 'on', 8: 'off' } as const
export type StatusType = (typeof statusTypes)[keyof typeof statusTypes]

/** Acct-Terminate-Cause (RFC 2866 §5.10, RFC 3580 §2.1). */
export const terminateCauses = {
  1: 'User-Request',
  2: 'Lost-Carrier',
  3: 'Lost-Service',
  4: 'Idle-Timeout',
  5: 'Session-Timeout',
  6: 'Admin-Reset',
  7: 'Admin-Reboot',
  8: 'Port-Error',
  9: 'NAS-Error',
  10: 'NAS-Request',
  11: 'NAS-Reboot',
  12: 'Port-Unneeded',
  13: 'Port-Preempted',
  14: 'Port-Suspended',
  15: 'Service-Unavailable',
  16: 'Callback',
  17: 'User-Error',
  18: 'Host-Request',
  19: 'Supplicant-Restart',
  20: 'Reauthentication-Failure',
  21: 'Port-Reinitialized',
  22: 'Port-Disabled',
} as const
export type TerminateCause = (typeof terminateCauses)[keyof typeof terminateCauses]

/** Error-Cause of a Disconnect or CoA answer (RFC 5176 §3.5), as one says it. */
export const errorCauses = {
  201: 'residual session context removed',
  202: 'invalid EAP packet ignored',
  401: 'unsupported attribute',
  402: 'missing attribute',
  403: 'NAS identification mismatch',
  404: 'invalid request',
  405: 'unsupported service',
  406: 'unsupported extension',
  407: 'invalid attribute value',
  501: 'administratively prohibited',
  502: 'request not routable',
  503: 'session context not found',
  504: 'session context not removable',
  505: 'proxy processing error',
  506: 'resources unavailable',
  507: 'request initiated',
  508: 'multiple session selection unsupported',
} as const

/** 3GPP-RAT-Type (TS 29.061 §16.4.7.2). */
export const ratTypes = {
  1: 'UTRAN',
  2: 'GERAN',
  3: 'WLAN',
  4: 'GAN',
  5: 'HSPA+',
  6: 'EUTRAN',
  7: 'Virtual',
  8: 'NB-IoT',
  9: 'LTE-M',
  51: 'NR',
  52: 'NR-U',
  53: 'Trusted WLAN',
  54: 'Trusted non-3GPP',
  55: 'Wireline',
  56: 'Wireline cable',
  57: 'Wireline BBF',
  101: 'IEEE 802.16e',
  102: 'eHRPD',
  103: 'HRPD',
  104: '1xRTT',
  105: 'UMB',
} as const

/** 3GPP-PDP-Type (TS 29.061 §16.4.7.2). */
export const pdpTypes = { 0: 'IPv4', 1: 'PPP', 2: 'IPv6', 3: 'IPv4v6', 4: 'Non-IP', 5: 'Unstructured', 6: 'Ethernet' } as const

/** The word of a number in one of these tables, or `fallback` and the number: `unknown (99)`. */
export function wordFor(table: Record<number, string>, value: number, fallback = 'unknown'): string {
  return table[value] ?? `${fallback} (${value})`
}

/** The number behind a word of one of these tables. */
export function numberFor<Word extends string>(table: Record<number, Word>, word: Word): number {
  for (const [value, candidate] of Object.entries(table)) if (candidate === word) return Number(value)
  throw new RangeError(`${word} is not in the table`)
}
