import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { later } from '../kit/later.tsx'
import { LiveTerminal } from './LiveTerminal.tsx'

const Replay = later(() => import('./Replay.tsx').then((file) => file.Replay))

/** The terminal of an asset in a window of its own (spec §2): `asset` asks for a shell, `session` watches one, `recording` plays one. */
export default function TerminalScreen() {
  const [params, setParams] = useSearchParams()
  const [turn, setTurn] = useState(0)
  const recording = params.get('recording')
  if (recording) return <Replay key={recording} id={recording} />
  const [asset, session] = [params.get('asset'), params.get('session')]
  return (
    <LiveTerminal
      key={`${asset} ${session} ${turn}`}
      asset={asset}
      session={session}
      // A window that is loaded again finds its shell by this address.
      onOpened={(id) => setParams({ session: id }, { replace: true })}
      onAgain={(of) => {
        setTurn(turn + 1)
        setParams({ asset: of }, { replace: true })
      }}
    />
  )
}
