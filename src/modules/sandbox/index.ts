export { creditWithTestMoney } from './move-test-money.ts';
export {
  failTransaction,
  payAtGateway,
  payAtTerminal,
  payInstalment,
  receiveTransfer,
} from './report-test-payments.ts';
