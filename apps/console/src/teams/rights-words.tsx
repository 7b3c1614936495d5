import { isPermission, permissions } from '@masthead/contract/kernel/permission'
import { presetOf } from '@masthead/contract/teams/presets'
import type { TagColorName } from '../ui/Tag.tsx'
import { Tags } from '../ui/Tag.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'

/** Permissions in words, as everywhere. */
export const inWords = (names: readonly string[]) => names.filter(isPermission).map((name) => permissions[name])

/** What somebody may do, short: the name of a preset, or how much; all of it on hover. */
export function Rights({ granted }: { granted: readonly string[] }) {
  const words = inWords(granted)
  const short = presetOf(granted)?.label ?? (words.length === 1 ? words[0]! : `${words.length} permissions`)
  if (words.length === 0) return <span className="text-fg-3">Nothing yet</span>
  return (
    <Tooltip content={words.length > 12 ? `${words.slice(0, 12).join(', ')} and ${words.length - 12} more` : words.join(', ')}>
      <span tabIndex={0} className="truncate rounded-sm">
        {short}
      </span>
    </Tooltip>
  )
}

type Seen = { limited: boolean; tags: readonly { name: string; color: TagColorName }[]; hidden_tags: number }

/** Which assets somebody sees: all, those of some tags, or none when the tags they were limited to are gone. */
export function SeenAssets({ limited, tags, hidden_tags }: Seen) {
  if (!limited) return 'All assets'
  if (tags.length + hidden_tags === 0) return <span className="text-warn-fg">No assets</span>
  if (tags.length === 0) return hidden_tags === 1 ? 'One tag' : `${hidden_tags} tags`
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-2">
      <Tags tags={tags} max={2} />
      {hidden_tags > 0 && <span className="flex-none text-xs text-fg-3">and {hidden_tags} more</span>}
    </span>
  )
}

/** The same in a sentence, for dialogs and invitations. `tags` are names. */
export const seenWords = ({ limited, tags }: { limited: boolean; tags: readonly string[] }) => {
  if (!limited) return 'You see all assets.'
  if (tags.length === 0) return 'You see no assets, because the tags you were limited to were deleted.'
  return tags.length === 1 ? `You see the assets with the tag ${tags[0]}.` : `You see the assets with one of the tags ${tags.join(', ')}.`
}
