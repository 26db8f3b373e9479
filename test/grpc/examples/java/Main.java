import com.google.protobuf.InvalidProtocolBufferException;
import ems.catalog.v1.CreateTopicRequest;
import ems.catalog.v1.TopicStatus;

class Main {
    public static void main(String[] args) throws InvalidProtocolBufferException {
        CreateTopicRequest request = CreateTopicRequest.newBuilder().setTitle("Opening an account").build();
        CreateTopicRequest read = CreateTopicRequest.parseFrom(request.toByteArray());
        System.out.println(read.getTitle() + " " + TopicStatus.TOPIC_STATUS_DRAFT);
    }
}
