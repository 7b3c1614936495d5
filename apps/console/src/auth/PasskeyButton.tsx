import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Signs in with a passkey, without e-mail or password. What it takes is loaded when it is pressed. */
export function PasskeyButton({ onDone }: { onDone: () => Promise<void> }) {
  const [state, setState] = useState<{ busy: boolean; words: string | null }>({ busy: false, words: null })
  const signIn = async () => {
    setState({ busy: true, words: null })
    const { signInByPasskey } = await import('./passkey-sign-in.ts')
    const words = await signInByPasskey()
    if (words === null) await onDone()
    setState({ busy: false, words })
  }
  return (
    <div className="grid gap-3">
      {state.words && <Notice tone="bad">{state.words}</Notice>}
      <Button size="large" icon={KeyRound} loading={state.busy} onClick={() => void signIn()}>
        Continue with a passkey
      </Button>
    </div>
  )
}
