export { addGateway, addGatewayAddress, joinGateways, removeGateway, removeGatewayAddress, rotateGatewaySecret } from './gateways.ts'
export { loadInventory } from './load-inventory.ts'
export { grantStaff, listStaff, revokeStaff } from './staff.ts'
