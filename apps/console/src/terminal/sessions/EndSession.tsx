import { endTerminal } from '@masthead/contract/terminal/operations'
import type { TerminalSession } from '@masthead/contract/terminal/session'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'

/** Whether a terminal of somebody is to end now. */
export function EndSession({ session: { id, opened_by, asset_name }, onClose }: { session: TerminalSession; onClose: () => void }) {
  return (
    <ConfirmCall
      operation={endTerminal}
      input={{ params: { terminal_id: id } }}
      title={`End the terminal of ${opened_by}?`}
      confirm="End"
      color="danger"
      done="The terminal is being ended"
      onClose={onClose}
    >
      The shell on {asset_name} is closed, and what it runs in the foreground stops.
    </ConfirmCall>
  )
}
