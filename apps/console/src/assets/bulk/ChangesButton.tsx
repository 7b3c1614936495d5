import { History } from 'lucide-react'
import { later } from '../../kit/later.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Button } from '../../ui/Button.tsx'

const Changes = later(() => import('./dialogs.ts').then((file) => file.Changes))

/** Keys of the address: the list of changes is open; one of them is. */
const defaults = { changes: '', change: '' }

/** Opens the changes of many assets: those that go on, and those that have ended with their results and the way back. */
export function ChangesButton() {
  const [{ changes, change }, go] = useAddressState(defaults)
  return (
    <>
      <Button color="ghost" icon={History} onClick={() => go({ changes: 'all' }, { push: true })}>
        Changes
      </Button>
      {(changes || change) && <Changes change={change} onClose={() => go(change ? { change: '' } : { changes: '' })} />}
    </>
  )
}
