import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'

/** Signs in with a passkey, without e-mail or password. What it takes is loaded when it is pressed. */
export function PasskeyButton({ onDone }: { onDone: () => Promise<void> }) {
  const [state, setState] = useState<{ busy: boolean; failure: Said | null }>({ busy: false, failure: null })
  const signIn = async () => {
    setState({ busy: true, failure: null })
    const { signInByPasskey } = await import('./passkey-sign-in.ts')
    const failure = await signInByPasskey()
    if (failure === null) await onDone()
    setState({ busy: false, failure })
  }
  return (
    <div className="grid gap-3">
      {state.failure && <FailureNotice of={state.failure} />}
      <Button size="large" icon={KeyRound} loading={state.busy} onClick={() => void signIn()}>
        Continue with a passkey
      </Button>
    </div>
  )
}
