import { describeMove } from '../testing/contract/describe-move.js';
import { movedKafka, movedQueues } from '../testing/contract/moved-brokers.js';

describeMove('postgres to kafka', movedQueues, movedKafka);
describeMove('kafka to postgres', movedKafka, movedQueues);
