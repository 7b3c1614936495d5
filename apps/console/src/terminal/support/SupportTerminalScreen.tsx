import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { LiveTerminal } from '../LiveTerminal.tsx'

/** The terminal that a customer allowed to support, in a window of its own. */
export default function SupportTerminalScreen() {
  const { supportID = '' } = useParams()
  const [params, setParams] = useSearchParams()
  const [turn, setTurn] = useState(0)
  const session = params.get('session')
  return (
    <LiveTerminal
      key={`${supportID} ${session} ${turn}`}
      asset={null}
      support={supportID}
      session={session}
      onOpened={(id) => setParams({ session: id }, { replace: true })}
      onAgain={() => {
        setTurn(turn + 1)
        setParams({}, { replace: true })
      }}
    />
  )
}
