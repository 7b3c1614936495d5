import { getSupportTerminal, openSupportTerminal } from '@masthead/contract/backoffice/support-operations'
import { getTerminal, joinTerminal, openTerminal } from '@masthead/contract/terminal/operations'
import type { Size, TerminalSession } from '@masthead/contract/terminal/session'
import { call } from '../api/client.ts'
import { q } from '../api/query.ts'

/** Where a terminal comes from: the own account, or an access that a customer gave to support (`support`). */
export const openAt = ({ asset, support, code }: { asset: string | null; support: string | null; code: string | null }, size: Size) =>
  support === null
    ? call(openTerminal, { params: { asset_id: asset ?? '' }, body: { ...size, ...(code !== null && { code }) } })
    : call(openSupportTerminal, { params: { any_support_id: support }, body: size })

/** Takes part in a session; `code`: the access code of its device, where it was typed. */
export const joinAt = ({ support, code }: { support: string | null; code: string | null }, id: string) =>
  support === null ? call(joinTerminal, { params: { terminal_id: id }, body: { ...(code !== null && { code }) } }) : sessionAt(support, id)

export const sessionAt = (support: string | null, id: string) =>
  support === null
    ? call(getTerminal, { params: { terminal_id: id } })
    : call(getSupportTerminal, { params: { any_support_id: support, any_terminal_id: id } })

export const sessionQuery = (support: string | null, id: string) =>
  support === null
    ? q(getTerminal, { params: { terminal_id: id } })
    : q(getSupportTerminal, { params: { any_support_id: support, any_terminal_id: id } })

/** The call that begins a session: buttons ask for its permission. */
export const opening = (support: string | null) => (support === null ? openTerminal : openSupportTerminal)

/** Where one goes back to. */
export const wayBack = (support: string | null, session: Pick<TerminalSession, 'asset_id'> | null, asset: string | null) => {
  if (support !== null) return { to: '/alpon-remote-support', label: 'Back to remote support' }
  const id = session?.asset_id ?? asset
  return { to: id ? `/assets/${id}/device` : '/assets', label: 'Back to the asset' }
}
