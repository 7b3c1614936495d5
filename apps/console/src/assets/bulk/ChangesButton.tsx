import { History } from 'lucide-react'
import { later } from '../../kit/later.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Button } from '../../ui/Button.tsx'

const ChangesSheet = later(() => import('./ChangesSheet.tsx').then((file) => file.ChangesSheet))
const ChangeById = later(() => import('./ChangeById.tsx').then((file) => file.ChangeById))

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
      {change !== '' ? (
        <ChangeById key={change} id={change} onClose={() => go({ change: '' })} />
      ) : (
        changes !== '' && <ChangesSheet onClose={() => go({ changes: '' })} />
      )}
    </>
  )
}
