import type { TerminalSession } from '@masthead/contract/terminal/session'
import type { Status } from '../../ui/status.ts'

export const sessionLooks: Record<TerminalSession['state'], { status: Status; label: string }> = {
  connecting: { status: 'busy', label: 'Connecting' },
  open: { status: 'live', label: 'Open' },
  ended: { status: 'none', label: 'Ended' },
}

/** Why a recording cannot be played; null: it can. */
export const noRecordingWords = (recording: TerminalSession['recording']): string | null =>
  recording === 'kept'
    ? null
    : recording === 'deleted'
      ? 'The recording was deleted when its time was over'
      : recording === 'writing'
        ? 'The recording is there once the session has ended'
        : 'It has no recording'
