import { useState } from 'react'
import { joinTerminal, openTerminal } from '@masthead/contract/terminal/operations'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { PasswordField } from '../../ui/TextField.tsx'
import { Card } from '../cards.tsx'

type Props = {
  /** The session is there, and somebody else has opened it. */
  watches: boolean
  /** The code that was typed before was wrong, in words. */
  error: string | null
  onCode: (code: string) => void
}

/** The device asks for its access code before a terminal opens. */
export function CodeCard({ watches, error, onCode }: Props) {
  const [code, setCode] = useState('')
  return (
    <form
      className="contents"
      onSubmit={(event) => {
        event.preventDefault()
        if (code) onCode(code)
      }}
    >
      <Card
        title="Access code"
        note={watches ? 'This session is recorded.' : 'This session will be recorded.'}
        actions={
          <ActionButton
            type="submit"
            operation={watches ? joinTerminal : openTerminal}
            color="primary-solid"
            disabled={code ? null : 'Enter the code'}
          >
            {watches ? 'Watch' : 'Open terminal'}
          </ActionButton>
        }
      >
        <div className="grid gap-3 px-5 pb-4">
          <p className="text-fg-2">
            {watches
              ? 'Whoever watches a terminal of this device needs its code, too.'
              : 'A terminal of this device opens only with its code.'}{' '}
            Whoever set it can tell you.
          </p>
          <PasswordField
            label="Code"
            autoComplete="current-password"
            autoFocus
            value={code}
            error={error}
            onChange={({ target }) => setCode(target.value)}
          />
        </div>
      </Card>
    </form>
  )
}
