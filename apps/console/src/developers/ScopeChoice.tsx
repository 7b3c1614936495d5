import { permissions, type Permission } from '@masthead/contract/kernel/permission'
import { useFormContext, Controller, get } from 'react-hook-form'
import { mayUser } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'

const names = Object.keys(permissions) as Permission[]
const links = ['faq', 'community', 'contact']
const groups = [
  { title: 'See', names: names.filter((name) => name.endsWith('.view')) },
  { title: 'Change', names: names.filter((name) => name.includes('.') && !name.endsWith('.view')) },
]

/** What a key may, of what oneself may: a permission each. */
export function ScopeChoice({ name }: { name: string }) {
  const user = useSession((session) => session.user)
  const { formState } = useFormContext()
  const error = (get(formState.errors, name) as { message?: string } | undefined)?.message
  const mine = names.filter((each) => user && !links.includes(each) && mayUser(user, each))
  return (
    <Controller
      name={name}
      render={({ field }) => {
        const chosen = field.value as string[]
        const set = (next: readonly string[]) => field.onChange(names.filter((each) => next.includes(each)))
        return (
          <fieldset className="grid gap-2" aria-describedby="scopes-words" data-invalid={error ? '' : undefined}>
            <legend className="mb-1.5 flex w-full flex-wrap items-center gap-1 font-medium">
              Permissions
              <span className="ml-auto flex gap-1">
                <Button size="small" color="ghost" onClick={() => set(mine.filter((each) => each.endsWith('.view')))}>
                  Read-only
                </Button>
                <Button size="small" color="ghost" onClick={() => set(mine)}>
                  All that I have
                </Button>
                <Button size="small" color="ghost" onClick={() => set([])}>
                  None
                </Button>
              </span>
            </legend>
            <p id="scopes-words" className={error ? 'text-xs text-bad-fg' : 'text-xs text-fg-3'} role={error ? 'alert' : undefined}>
              {error ?? 'A key never has more permissions than the person who created it.'}
            </p>
            <div className="grid gap-4 rounded-lg border border-line p-3 @sm:grid-cols-2">
              {groups.map((group) => (
                <div key={group.title} role="group" aria-label={group.title} className="grid content-start gap-1.5">
                  <span className="text-xs text-fg-3" aria-hidden>
                    {group.title}
                  </span>
                  {group.names.map((each) => (
                    <Checkbox
                      key={each}
                      className="items-start"
                      checked={chosen.includes(each)}
                      disabled={!mine.includes(each)}
                      onChange={() => set(chosen.includes(each) ? chosen.filter((one) => one !== each) : [...chosen, each])}
                    >
                      <span className={mine.includes(each) ? '-mt-0.5' : '-mt-0.5 text-fg-3'}>{permissions[each]}</span>
                    </Checkbox>
                  ))}
                </div>
              ))}
            </div>
          </fieldset>
        )
      }}
    />
  )
}
