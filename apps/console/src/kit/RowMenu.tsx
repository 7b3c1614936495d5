import { MoreHorizontal } from 'lucide-react'
import { IconButton } from '../ui/Button.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'

/** What can be done with a row; `of`: what the row is called. */
export const RowMenu = ({ items, of }: { items: MenuItem[]; of: string | undefined }) =>
  items.length > 0 && (
    <Menu
      trigger={<IconButton label={of ? `Actions for ${of}` : 'More actions'} icon={MoreHorizontal} size="small" />}
      label="Actions"
      align="end"
      items={items}
    />
  )
